#include "harden/patrol.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "harden/look.h"
#include "harden/look_at_free.h"
#include "harden/place.h"
#include "harden/served_heap.h"
#include "harden/settings.h"
#include "harden/telling.h"
#include "harden/times.h"

namespace mmt::harden {
namespace {

constinit std::atomic<uint64_t> looked_ms{0};

// So much of what waits is looked at in one run. Some thousand threads have more.
constexpr size_t kWaitingBytes = size_t{2} << 20;

// To find that there is nothing to look at costs something, too.
constexpr size_t kBytesASlot = 64;

void look_at_span(HeapCopy& copy, const char* start, const store::ClassInfo& info) {
  const char* const end = start + size_t{info.blocks} * info.size;
  bool has_unused = false;
  for (const char* block = start; block != end; block += info.size) {
    look_at(copy, {const_cast<char*>(block), info.size, states_of(block)}, end);
    has_unused |= *states_of(block) == kUnknown;
  }
  if (has_unused && settings.checks_freed)
    look_at_unused(copy, served_heap().depot.region().slot_of(start));
}

void look_at_place(HeapCopy& copy, const void* block) {
  const Place place = place_of(block);
  if (place.kind == Place::Kind::kSmall && place.is_start)
    look_at(copy, place.object, place.object.block);
}

// A freed one cannot be written, and what a state of freed tells is old: a block is being resized
// to there.
void look_at_large(HeapCopy& copy, const void* block) {
  const Place place = place_of(block);
  if (place.kind == Place::Kind::kLarge && is_live(*place.object.state))
    look_at(copy, place.object, place.object.block);
}

}  // namespace

uint64_t last_looked_ms() { return looked_ms.load(std::memory_order_relaxed); }

Patrol::Patrol() : copy_(served_heap().depot.budget()) {}

bool Patrol::run(size_t bytes) {
  if (!settings.trusts_others) return false;
  look_at_waiting(kWaitingBytes);
  return look_at_rest(bytes);
}

void Patrol::run_through(size_t most_bytes) {
  next_ = 0;
  if (settings.trusts_others) {
    look_at_waiting(SIZE_MAX);
    look_at_rest(most_bytes);
  }
  Telling::wait();
}

// Goes on with the next thread's where it stopped.
void Patrol::look_at_waiting(size_t most_bytes) {
  Quarantine* const first = first_quarantine();
  if (first == nullptr) return;
  const size_t before = copy_.copied();
  Quarantine* one = next_quarantine_ != nullptr ? next_quarantine_ : first;
  Quarantine* const stop = one;
  do {
    one->for_each([this](const void* block) { look_at_place(copy_, block); });
    one = one->next_in_list() != nullptr ? one->next_in_list() : first;
  } while (one != stop && copy_.copied() - before < most_bytes);
  next_quarantine_ = one;
}

bool Patrol::look_at_rest(size_t bytes) {
  const store::Region& region = served_heap().depot.region();
  const store::Slot end = region.frontier();
  if (next_ >= end) next_ = 0;
  if (next_ == 0) began_ms_ = ms_now();
  next_ = std::max(next_, region.first());
  const size_t before = copy_.copied();
  for (size_t slots = 0; next_ < end; ++slots) {
    if (copy_.copied() - before + slots * kBytesASlot >= bytes) return true;
    const uint8_t code = region.class_of_record(next_);
    const bool is_span = code != store::kNoClass && code < store::kClassCount;
    if (is_span && store::span_start(next_, code) == next_) {
      look_at_span(copy_, region.address(next_), store::kClasses[code]);
      next_ += store::kClasses[code].span_slots;
      continue;
    }
    if (code == store::kLargeHead) look_at_large(copy_, region.address(next_));
    if (is_nobodys(next_)) look_at_nobodys(copy_, next_);
    ++next_;
  }
  // Relaxed: a number, by which nothing else is found.
  looked_ms.store(began_ms_, std::memory_order_relaxed);
  return false;
}

}  // namespace mmt::harden
