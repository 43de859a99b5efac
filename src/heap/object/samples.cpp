#include "heap/object/samples.h"

#include <algorithm>

#include <mmt/core/checked.h>
#include <mmt/sys/thread.h>

namespace mmt::heap {
namespace {

using store::Slot;

// One block in so many of a dense kind goes without what others are given.
constexpr uint32_t kDueEvery = 32;
// A part of a large block has so many samples: the first number, or the second while its kind is
// not known yet.
constexpr uint32_t kPagesAPart = 2;
constexpr uint32_t kFirstPages = 8;
// Spans of a class that come before one is looked at.
constexpr uint32_t kPendingSpans = 2;
// How far a page that was left out is looked for.
constexpr Slot kMostSlots = 1024;
constexpr uintptr_t kWholeSlot = 1;

uintptr_t address_of(const store::Region& region, Slot slot, uint32_t page) {
  return reinterpret_cast<uintptr_t>(region.address(slot)) + page * sys::kPageSize;
}

uint32_t mix(uint32_t value) {
  value *= 2654435769u;
  return value ^ value >> 15;
}

}  // namespace

bool Samples::may_learn() const {
  return !is_paused_.load(std::memory_order_relaxed) && !sys::is_quiet();
}

bool Samples::is_due(Kind kind) { return next_turn(kind) % kDueEvery == kDueEvery - 1; }

void Samples::note_huge(const char* start, size_t bytes) {
  auto at = reinterpret_cast<uintptr_t>(start);
  for (const uintptr_t end = at + bytes; at < end; at += sys::kHugePageSize) {
    const size_t place = huge_place(at);
    huge_[place / 64].fetch_or(uint64_t{1} << (place % 64), std::memory_order_relaxed);
  }
}

void Samples::look(Kind kind, uintptr_t sample) {
  constexpr uint32_t kLooks = 4;
  unsigned char resident[kPagesASlot];
  const bool whole = (sample & kWholeSlot) != 0;
  const void* const at = reinterpret_cast<const void*>(sample & ~kWholeSlot);
  if (!sys::look_for_pages(at, whole ? store::kSlotBytes : sys::kPageSize, resident)) return;
  TouchedShare latest = share(kind);
  for (uint32_t i = 0; i < (whole ? kLooks : 1); ++i)
    latest.note((resident[i * (kPagesASlot / kLooks) + (whole ? i : 0)] & 1) != 0);
  states_[kind].share.store(latest.pack(), std::memory_order_relaxed);
}

// The oldest one is looked at, where it is still of the kind.
void Samples::add(store::Depot& depot, Kind kind, uintptr_t sample) {
  State& state = states_[kind];
  const bool small = kind < store::kClassCount;
  const uint32_t depth = small ? kPendingSpans : kPending;
  std::atomic<uintptr_t>& place = state.pending[next_turn(kind) % depth];
  const uintptr_t oldest = place.exchange(sample, std::memory_order_relaxed);
  if (oldest == 0) return;
  const store::Region& region = depot.region();
  const uint8_t code = region.true_class_of(region.slot_index(reinterpret_cast<void*>(oldest)));
  const bool same = small ? code == kind : code == store::kLargeHead || code == store::kLargeBody;
  if (same) look(kind, oldest);
}

void Samples::add_span(store::Depot& depot, store::SizeClass c, Slot slot, bool prepared) {
  if (!may_learn()) return;
  const store::Region& region = depot.region();
  const uint32_t slots = store::kClasses[c].span_slots;
  const Kind kind = kind_of_class(c);
  if (!prepared) {
    const Slot one = slot + (mix(slot) & (slots - 1));
    if (share(kind).is_known() && left_out_page(one) == kPagesASlot) return;
    const uintptr_t at = address_of(region, one, 0);
    if (is_sample(at)) add(depot, kind, at + kWholeSlot);
    return;
  }
  for (uint32_t i = 0; i < slots; ++i) {
    const uint32_t page = left_out_page(slot + i);
    if (page == kPagesASlot) continue;
    const uintptr_t at = address_of(region, slot + i, page);
    if (is_sample(at)) add(depot, kind, at);
  }
}

// A page of some slot of a large block that nobody has made resident; 0: there is none.
uintptr_t Samples::sample_from(store::Depot& depot, Slot first, Slot end, uint32_t any) const {
  const Slot count = end - first;
  for (Slot i = 0; i < std::min(count, kMostSlots); ++i) {
    const Slot slot = first + (any + i) % count;
    const size_t from = size_t{slot} << store::kSlotShift;
    uint32_t page = any >> 20 & (kPagesASlot - 1);
    if (depot.prepared().has_some(from, store::kSlotBytes)) {
      page = left_out_page(slot);
      if (page == kPagesASlot || !depot.prepared().has_all(from, store::kSlotBytes)) continue;
    }
    const uintptr_t at = address_of(depot.region(), slot, page);
    if (is_sample(at)) return at;
  }
  return 0;
}

void Samples::add_part(store::Depot& depot, Kind kind, const char* start, size_t bytes) {
  if (bytes < store::kSlotBytes || !may_learn()) return;
  const store::Region& region = depot.region();
  const auto first = static_cast<Slot>(
      core::ceil_div(static_cast<size_t>(start - region.base()), store::kSlotBytes));
  const auto end =
      static_cast<Slot>(static_cast<size_t>(start + bytes - region.base()) >> store::kSlotShift);
  if (end <= first) return;
  const uint32_t seed = states_[kind].turn.load(std::memory_order_relaxed);
  const uint32_t pages = share(kind).is_known() ? kPagesAPart : kFirstPages;
  for (uint32_t i = 0; i < pages; ++i) {
    const uint32_t any = mix(kFirstPages * seed + i);
    const uintptr_t at = sample_from(depot, first, end, any);
    if (at != 0) add(depot, kind, at);
  }
}

void Samples::look_at_freed(Kind kind, const char* block, size_t bytes) {
  const auto start = reinterpret_cast<uintptr_t>(block);
  for (std::atomic<uintptr_t>& place : states_[kind].pending) {
    const uintptr_t sample = place.load(std::memory_order_relaxed);
    if (sample - start >= bytes) continue;
    if (place.exchange(0, std::memory_order_relaxed) == sample && may_learn()) look(kind, sample);
  }
}

void Samples::look_at_grown(const char* block, size_t bytes, Kind kind) {
  if (bytes < store::kSlotBytes || share(kind).is_dense() || !may_learn()) return;
  const uint32_t pages = static_cast<uint32_t>(bytes / sys::kPageSize);
  for (uint32_t i = 0; i < kPagesAPart; ++i) {
    const uint32_t page = pages - 1 - mix(next_turn(kind)) % (pages / 2);
    const uintptr_t at = reinterpret_cast<uintptr_t>(block) + page * sys::kPageSize;
    if (is_sample(at)) look(kind, at);
  }
}

bool populate_all_but_samples(store::Region& region, size_t from, size_t bytes) {
  const size_t end = from + bytes;
  bool done = true;
  size_t start = from;
  for (size_t slot = from >> store::kSlotShift; slot << store::kSlotShift < end; ++slot) {
    const uint32_t page = left_out_page(static_cast<Slot>(slot));
    if (page == kPagesASlot) continue;
    const size_t left_out = (slot << store::kSlotShift) + page * sys::kPageSize;
    if (left_out < start || left_out >= end) continue;
    if (left_out != start) done &= sys::populate(region.base() + start, left_out - start);
    start = left_out + sys::kPageSize;
  }
  if (start < end) done &= sys::populate(region.base() + start, end - start);
  return done;
}

}  // namespace mmt::heap
