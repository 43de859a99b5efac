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

// Others of the first block's size will serve if they are as large as any request that falls into
// the same granule may be.
void* Magazines::learn(size_t bytes) {
  void* const block = library.malloc(bytes);
  if (block == nullptr) return nullptr;
  const size_t size = library.usable_size(block);
  const size_t magazine = size / kGranule;
  if (size > kLargest || magazine < granules_over(bytes) || magazine == 0) return block;
  serves_[granules_over(bytes)] = static_cast<uint8_t>(magazine);
  if (magazines_[magazine].room == 0 && !magazines_[magazine].is_closed) {
    open(magazines_[magazine], size);
  }
  return block;
}

// The next ones at once, to be given out in the order in which the library made them. Each is asked
// for as large as all of its magazine are.
void* Magazines::refill(uint8_t index) {
  Magazine& magazine = magazines_[index];
  const size_t bytes = index * kGranule;
  const uint32_t count = std::min(kBatch, magazine.room);
  uint32_t left = count;
  void* const first = library.malloc(bytes);
  while (first != nullptr && left != 0) {
    void* const block = library.malloc(bytes);
    if (block == nullptr) break;
    magazine.blocks[--left] = block;
  }
  if (MMT_UNLIKELY(left != 0)) {
    std::memmove(magazine.blocks, magazine.blocks + left, (count - left) * sizeof(void*));
  }
  magazine.count = count - left;
  return first;
}

void* Magazines::allocate(size_t bytes) {
  if (bytes > kLargest) return library.malloc(bytes);
  const size_t granules = granules_over(bytes);
  const uint8_t served_by = serves_[granules];
  Magazine& magazine = magazines_[served_by];
  ++magazine.failures;
  if (MMT_UNLIKELY(served_by == 0)) return learn(bytes);
  run_ = served_by == run_of_ ? run_ + 1 : 0;
  run_of_ = served_by;
  if (MMT_UNLIKELY(magazine.count != 0)) return take(bytes);
  if (run_ < kRun || magazine.room == 0) return library.malloc(bytes);
  // The first of its size may have been larger than such blocks are, as the library cut it from
  // what could not be divided.
  if (run_ == kRun) return learn(bytes);
  return refill(served_by);
}

void Magazines::free(void* block, size_t size) {
  if (size > kLargest || size < kGranule) return library.free(block);
  Magazine& magazine = magazines_[size / kGranule];
  ++magazine.failures;
  if (magazine.is_closed) return library.free(block);
  if (magazine.room == 0) {
    if (!open(magazine, size)) return library.free(block);
  } else if (magazine.count == magazine.room) {
    // The older half goes.
    const uint32_t half = magazine.room / 2;
    for (uint32_t i = 0; i < half; ++i) library.free(magazine.blocks[i]);
    std::memmove(magazine.blocks, magazine.blocks + half, (magazine.count - half) * sizeof(void*));
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
  if (++reviews_ % kReopen == 0) {
    for (Magazine& magazine : magazines_) magazine.is_closed = false;
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
