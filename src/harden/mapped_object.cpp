#include "harden/mapped_object.h"

#include <atomic>

#include "harden/wrong_call.h"

namespace mmt::harden {
namespace {

struct Gone {
  std::atomic<const void*> block;
  std::atomic<size_t> size;
  std::atomic<uint64_t> sites;
};
constexpr size_t kKept = 1024;
constinit Gone gone[kKept]{};
constinit std::atomic<uint32_t> next{0};

char* end_of(const void* block, size_t size) {
  return static_cast<char*>(const_cast<void*>(block)) + size;
}

}  // namespace

void lay_out_mapped(void* block, size_t size, size_t bytes, Form form, Site caller) {
  char* const end = end_of(block, size);
  char* const tail = end - kTailBytes;
  const size_t excess = size - mapped_tail_bytes() - bytes;
  fill_gap(static_cast<char*>(block) + bytes, excess);
  const uint64_t word = (uint64_t{excess} << 3 | static_cast<uint64_t>(form)) ^ secrets.sum;
  memcpy(end - mapped_tail_bytes(), &word, sizeof word);
  Tail::of_new(tail, caller).store(tail);
}

MappedTail mapped_tail_of(const void* block, size_t size) {
  const char* const end = end_of(block, size);
  MappedTail result;
  memcpy(&result.word, end - mapped_tail_bytes(), sizeof result.word);
  result.tail = Tail::load(end - kTailBytes);
  return result;
}

void check_mapped(const void* block, size_t size, const MappedTail& seen, Call call) {
  const char* const end = end_of(block, size);
  const size_t bytes = seen.bytes(size);
  const char* const start = static_cast<const char*>(block);
  if (settings.checks_bounds && (!seen.tail.is_right(end - kTailBytes) ||
                                 !is_gap_whole(start + bytes, size - mapped_tail_bytes() - bytes)))
    tell_of_overflow(block, bytes, start + bytes, seen.tail, call.caller);
  tell_of_wrong_words(block, bytes, seen.form(), seen.tail, call, is_aligned_as_told(block, call));
}

void note_gone(const void* block, size_t size, Tail live, Site freed) {
  Gone& one = gone[next.fetch_add(1, std::memory_order_relaxed) % kKept];
  one.size.store(size, std::memory_order_relaxed);
  one.sites.store(Tail::of_freed(block, live, freed).word, std::memory_order_relaxed);
  one.block.store(block, std::memory_order_release);
}

namespace {

// The newest first: the place may have been another's. is_meant(start, size)
template <class IsMeant>
const Gone* find_gone(IsMeant&& is_meant) {
  const uint32_t last = next.load(std::memory_order_relaxed);
  for (uint32_t i = 1; i <= kKept; ++i) {
    const Gone& one = gone[(last - i) % kKept];
    const void* const block = one.block.load(std::memory_order_acquire);
    if (block != nullptr && is_meant(block, one.size.load(std::memory_order_relaxed))) return &one;
  }
  return nullptr;
}

}  // namespace

bool is_gone(const void* block, Tail* seen) {
  const Gone* const one = find_gone([block](const void* start, size_t) { return start == block; });
  if (one != nullptr) *seen = {one->sites.load(std::memory_order_relaxed)};
  return one != nullptr;
}

bool was_gone_around(const void* address, const void** block, Tail* seen) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  const Gone* const one = find_gone([at](const void* start, size_t size) {
    return at - reinterpret_cast<uintptr_t>(start) < size;
  });
  if (one == nullptr) return false;
  *block = one->block.load(std::memory_order_relaxed);
  *seen = {one->sites.load(std::memory_order_relaxed)};
  return true;
}

}  // namespace mmt::harden
