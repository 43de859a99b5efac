#include "agnostic/recycling/magazines.h"

#include <algorithm>
#include <cstring>

namespace mmt::agnostic {

// By bytes, so that what a thread keeps is bounded: 32 KiB a size.
uint32_t Magazines::room_for(size_t size) {
  constexpr size_t kBytes = size_t{32} << 10;
  return static_cast<uint32_t>(std::clamp<size_t>(kBytes / size, 8, 256));
}

bool Magazines::open(Magazine& magazine, size_t size) {
  if (magazine.largest == 0) {
    const uint32_t room = room_for(size);
    magazine.blocks = static_cast<void**>(layers::MmapHeap().malloc(room * sizeof(void*)));
    if (magazine.blocks == nullptr) return false;
    magazine.largest = room;
  }
  magazine.room = magazine.largest;
  return true;
}

void Magazines::close(Magazine& magazine) {
  for (uint32_t i = 0; i < magazine.count; ++i) library.free(magazine.blocks[i]);
  magazine.count = magazine.room = 0;
  magazine.is_closed = true;
}

void* Magazines::allocate(size_t bytes) {
  void* const block = library.malloc(bytes);
  if (bytes > kLargest || block == nullptr) return block;
  const size_t granules = granules_over(bytes);
  const uint8_t served_by = serves_[granules];
  ++magazines_[served_by].failures;
  if (MMT_LIKELY(served_by != 0)) return block;
  // The first of its size: others of that size will serve if they are as large as any request that
  // falls here may be.
  const size_t size = library.usable_size(block);
  const size_t magazine = size / kGranule;
  if (size <= kLargest && magazine >= granules && magazine <= UINT8_MAX) {
    serves_[granules] = static_cast<uint8_t>(magazine);
  }
  return block;
}

void Magazines::free(void* block, size_t size) {
  if (size > kLargest || size < kGranule) return library.free(block);
  Magazine& magazine = magazines_[size / kGranule];
  ++magazine.failures;
  if (magazine.is_closed) return library.free(block);
  if (magazine.room == 0) {
    if (!open(magazine, size)) return library.free(block);
  } else {
    // The older half goes.
    const uint32_t half = magazine.room / 2;
    for (uint32_t i = 0; i < half; ++i) library.free(magazine.blocks[i]);
    std::memmove(magazine.blocks, magazine.blocks + half,
                 (magazine.count - half) * sizeof(void*));
    magazine.count -= half;
    magazine.failures += half - 1;
    failures_ += half - 1;
  }
  give(block, size);
}

bool Magazines::review() {
  uint64_t hits = 0;
  uint64_t failures = 0;
  for (Magazine& magazine : magazines_) {
    hits += magazine.hits;
    failures += magazine.failures;
    if (magazine.failures >= kFewest && magazine.hits < magazine.failures) close(magazine);
    magazine.hits = magazine.failures = 0;
  }
  return hits >= failures;
}

void Magazines::clear() {
  for (Magazine& magazine : magazines_) {
    close(magazine);
    magazine.is_closed = false;
  }
}

}  // namespace mmt::agnostic
