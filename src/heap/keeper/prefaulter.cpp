#include "heap/keeper/prefaulter.h"

#include <algorithm>
#include <utility>

#include <mmt/core/checked.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/pages.h>

#include "heap/object/heap.h"
#include "heap/object/page_price.h"
#include "heap/pages/changed_pages.h"

namespace mmt::heap {
namespace {

// One call into the kernel: short enough that nothing else waits for it long.
constexpr size_t kSmallStep = size_t{256} << 10;
// Ahead of the frontier by less than this the application is about to fault itself.
constexpr size_t kMargin = size_t{64} << 10;
// What lies between two stretches of huge pages may become huge pages too, up to so much.
constexpr size_t kMostJoined = size_t{64} << 20;
// One part of the heap in so many, at most.
constexpr size_t kShare = 16;
// Slower growth fills the next huge page within so many milliseconds.
constexpr size_t kMillisecondsAHuge = 20;
// Below this many threads' heap grows by a start of theirs, once: nothing is prepared.
constexpr size_t kThriftyHeap = size_t{64} << 20;
// A huge page dearer than this costs more than the small pages it stands for.
constexpr uint64_t kHugePriceLimitNs = 500000;
// One huge page in a row for so much of the heap, within limits.
constexpr size_t kHugeShare = size_t{32} << 20;
constexpr size_t kFewestHuge = 2;
constexpr size_t kMostHuge = 15;
// Growth that is looked at, at most, in one window.
constexpr size_t kMostSlots = size_t{16} << 10;
// And at least, for a verdict: 1 MiB.
constexpr size_t kTellingSlots = 16;

void note_prefault(Heap& heap, size_t bytes, uint64_t ns) {
  heap.server_counters.prefault_bytes.add(bytes);
  heap.server_counters.prefault_ns.add(ns);
}

// What the program's own steps go by. Relaxed: it is a number, by which nothing else is found.
void note_page_price(Heap& heap, uint64_t price) {
  const uint64_t known = page_price_ns(heap);
  heap.page_price_ns.store((3 * known + std::clamp(price, kLeastPageNs, 8 * known)) / 4,
                           std::memory_order_relaxed);
}

}  // namespace

// What the frontier has left behind since the last look, by what became of it. Slots that nobody
// has noted yet are passed by.
void Prefaulter::measure_density(size_t frontier) {
  const store::Region& region = heap_.depot.region();
  const size_t end = frontier >> store::kSlotShift;
  size_t slot = std::max(looked_through_, end > kMostSlots ? end - kMostSlots : 0);
  while (slot < end) {
    const uint8_t code = region.true_class_of(slot);
    const size_t first = slot++;
    Kind kind = code;
    if (code == store::kLargeHead) {
      while (slot < end && region.class_of(slot) == store::kLargeBody) ++slot;
      kind = kind_of_large((slot - first) << store::kSlotShift);
    } else if (code == store::kNoClass || code == store::kForeign) {
      continue;
    }
    grown_slots_ += slot - first;
    const bool grown_in_place = code == store::kLargeBody;
    if (!grown_in_place && heap_.samples.is_dense(kind)) dense_slots_ += slot - first;
  }
  looked_through_ = end;
  if (grown_slots_ < kTellingSlots) return;
  grows_densely_ = (grown_slots_ - dense_slots_) * 8 <= grown_slots_;
  grown_slots_ = dense_slots_ = 0;
}

// What blocks that grow were moved to is no growth. Nor is what got the pages of free runs, or the
// remainder of a block that came at once. Relaxed: a figure.
void Prefaulter::measure_growth(uint64_t now, size_t frontier) {
  const size_t other =
      heap_.depot.growth().taken_bytes() + heap_.untelling_bytes.load(std::memory_order_relaxed);
  const size_t grown = frontier - std::exchange(frontier_seen_, frontier);
  rate_.add(grown - std::min(grown, other - std::exchange(other_seen_, other)));
  if (rate_.measure(now)) measure_density(frontier);
}

bool Prefaulter::within_lead(size_t from, size_t bytes, size_t frontier) const {
  if (!grows_densely_) return false;
  size_t use = rate_.soon();
  if (bytes == sys::kHugePageSize)
    use = std::max(use, std::min(rate_.within(kMillisecondsAHuge), 2 * sys::kHugePageSize));
  // Large blocks take the pages of what lies free over.
  const size_t lead = GrowthRate::lead(
      use, {frontier, kShare, heap_.options.prefault_bytes, heap_.depot.runs().dirty_bytes()});
  return from + bytes <= frontier + lead && heap_.depot.region().map_through(from + bytes);
}

bool Prefaulter::step(uint64_t now) {
  const Options& options = heap_.options;
  if (!options.prefault) return false;
  const size_t frontier = size_t{heap_.depot.region().frontier()} << store::kSlotShift;
  measure_growth(now, frontier);
  // Relaxed: a manner, not an order.
  if (frontier < kThriftyHeap && heap_.thrifty.load(std::memory_order_relaxed)) return false;
  if (frontier == last_frontier_ && heap_.depot.prepared().through() >= frontier) return false;
  const bool huge_allowed = options.huge_pages != Switch::kOff &&
                            frontier >= options.huge_from_bytes && frontier >= next_huge_;
  const bool small_place = std::max(frontier, heap_.depot.prepared().through()) < small_through_;
  const bool huge = huge_allowed && !small_place;
  if ((huge && huge_step(frontier)) || small_step(frontier)) return true;
  last_frontier_ = frontier;
  return false;
}

// Nobody else's mapping, nor pages that the program has advised or mapped itself, lie there.
bool Prefaulter::is_all_ours(size_t from, size_t end) const {
  const store::Region& region = heap_.depot.region();
  for (size_t slot = from >> store::kSlotShift; slot < end >> store::kSlotShift; ++slot) {
    const uint8_t code = region.class_of(slot);
    if (code == store::kForeign || code == store::kChanged) return false;
    // Small pages of what is hardly used would become huge ones.
    if (code < kClassCount && code != store::kNoClass && !heap_.samples.is_dense(code))
      return false;
    if (code == store::kLargeHead &&
        is_changed(heap_, region.address(static_cast<store::Slot>(slot))))
      return false;
  }
  return true;
}

// Returns where advice about huge pages from `from` on begins. It begins at the end of what was
// advised last, where one more stretch would cut the heap into too many mappings. A result beyond
// `from` means that no advice is given.
size_t Prefaulter::start_of_advice(size_t from) const {
  if (from == advised_through_ || heap_.depot.seams().allow_advice()) return from;
  const bool near = advised_through_ < from && from - advised_through_ <= kMostJoined;
  return near && advised_through_ != 0 && is_all_ours(advised_through_, from) ? advised_through_
                                                                              : ~size_t{0};
}

void Prefaulter::note_advice(size_t from, size_t end) {
  heap_.depot.seams().note_advised(static_cast<store::Slot>(from >> store::kSlotShift),
                                   (end - from) >> store::kSlotShift, from == advised_through_);
  advised_through_ = end;
}

bool Prefaulter::huge_step(size_t frontier) {
  constexpr size_t kStep = sys::kHugePageSize;
  size_t from = core::align_up(frontier, kStep);
  if (from < heap_.depot.prepared().through())
    from = core::align_up(heap_.depot.prepared().through(), kStep);
  char* at = heap_.depot.region().base() + from;
  if (!within_lead(from, kStep, frontier)) return false;
  const size_t start = start_of_advice(from);
  if (start > from) {
    next_huge_ = 2 * frontier + kStep;
    return false;
  }
  heap_.samples.note_huge(at - (from - start), from + kStep - start);
  const uint64_t before = sys::thread_cpu_ns();
  const bool done =
      sys::prefer_huge_pages(at - (from - start), from + kStep - start) && sys::populate(at, kStep);
  note_advice(start, from + kStep);
  const uint64_t price = sys::thread_cpu_ns() - before;
  if (!done || price > kHugePriceLimitNs) next_huge_ = 2 * frontier + kStep;
  heap_.server_counters.prefault_huge.add(done);
  note_prefault(heap_, done ? kStep : 0, price);
  heap_.depot.prepared().note(from, kStep);
  // In a huge page nothing can be seen: the next place gets small ones, of which some are left out.
  if (++huge_in_a_row_ >= std::clamp(frontier / kHugeShare, kFewestHuge, kMostHuge)) {
    small_through_ = from + 2 * kStep;
    huge_in_a_row_ = 0;
  }
  return true;
}

bool Prefaulter::small_step(size_t frontier) {
  size_t from = core::align_up(frontier + kMargin, kMargin);
  if (from < heap_.depot.prepared().through()) from = heap_.depot.prepared().through();
  const size_t bytes = core::align_down(from, kSmallStep) + kSmallStep - from;
  if (!within_lead(from, bytes, frontier)) return false;
  const uint64_t before = sys::thread_cpu_ns();
  const bool done = populate_all_but_samples(heap_.depot.region(), from, bytes);
  const uint64_t took = sys::thread_cpu_ns() - before;
  heap_.server_counters.prefault_small.add(done);
  note_prefault(heap_, done ? bytes : 0, took);
  if (done) note_page_price(heap_, took / (bytes / sys::kPageSize));
  heap_.depot.prepared().note(from, bytes);
  return true;
}

}  // namespace mmt::heap
