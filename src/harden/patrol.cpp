#include "harden/patrol.h"

#include <algorithm>
#include <atomic>

#include <mmt/core/compiler.h>

#include "harden/object.h"

namespace mmt::harden {
namespace {

// A block that goes through a whole life between two looks, and is just in use at each, is as good
// as impossible so often in a row.
constexpr int kLooks = 16;

uint8_t state_now(const Object& object) { return __atomic_load_n(object.state, __ATOMIC_ACQUIRE); }

bool is_as_freed(const Object& object) {
  const size_t all = object.size - kTailBytes;
  const uint64_t junk = settings.freed_byte * uint64_t{0x0101010101010101};
  for (size_t at = 0; at < all; at += 8) {
    const uint64_t word =
        __atomic_load_n(reinterpret_cast<const uint64_t*>(object.block + at), __ATOMIC_RELAXED);
    if (word != 0 && word != junk) return false;
  }
  // What went back to the system has no tail either.
  const Tail seen = Tail::load(object.tail());
  return seen.word == 0 || seen.is_right(object.tail());
}

bool is_written(const Object& object) {
  for (int look = 0; look < kLooks; ++look) {
    if (!is_at_rest(state_now(object)) || is_as_freed(object)) return false;
    // A thread that has taken the block wrote its state before anything else.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (!is_at_rest(state_now(object))) return false;
    for (int i = 0; i < 100; ++i) core::cpu_relax();
  }
  return true;
}

// Whoever takes the block says no more of it. False: it is told already, or just taken.
bool mark_told(const Object& object) {
  uint8_t seen = state_now(object);
  if (!is_at_rest(seen) || (seen & kTold) != 0) return false;
  return __atomic_compare_exchange_n(object.state, &seen, static_cast<uint8_t>(seen | kTold), false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// How many bytes of freed blocks there were.
size_t look_at_span(const store::Region& region, store::Slot slot, const store::ClassInfo& info) {
  char* const start = region.address(slot);
  size_t bytes = 0;
  for (uint32_t i = 0; i < info.blocks; ++i) {
    char* const block = start + size_t{i} * info.size;
    const Object object{block, info.size, states_of(region, block)};
    if (!is_at_rest(state_now(object))) continue;
    bytes += info.size;
    if (MMT_UNLIKELY(!is_as_freed(object)) && is_written(object) && mark_told(object))
      tell_of_written(object, nullptr);
  }
  return bytes;
}

}  // namespace

bool Patrol::run(size_t bytes) {
  const store::Region& region = heap::process_heap.depot.region();
  const store::Slot end = region.frontier();
  if (next_ >= end) next_ = 0;
  next_ = std::max(next_, region.first());
  for (size_t seen = 0; next_ < end && seen < bytes;) {
    const uint8_t code = region.class_of_record(next_);
    const bool is_span = code != store::kNoClass && code < store::kClassCount;
    if (is_span && store::span_start(next_, code) == next_) {
      seen += look_at_span(region, next_, store::kClasses[code]);
      next_ += store::kClasses[code].span_slots;
    } else {
      ++next_;
    }
    seen += 64;  // a slot without freed blocks costs something, too
  }
  return next_ < end;
}

void Patrol::run_through(size_t most_bytes) {
  next_ = 0;
  run(most_bytes);
}

}  // namespace mmt::harden
