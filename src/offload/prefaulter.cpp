#include "offload/prefaulter.h"

#include <mmt/core/checked.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/pages.h>

#include "offload/changed_pages.h"
#include "offload/runtime.h"

namespace mmt::offload {
namespace {

// One call into the kernel: short enough that supply does not wait for it long.
constexpr size_t kSmallStep = size_t{256} << 10;
// Ahead of the frontier by less than this the application is about to fault itself.
constexpr size_t kMargin = size_t{64} << 10;
// What lies between two stretches of huge pages may become huge pages too, up to so much.
constexpr size_t kMostJoined = size_t{64} << 20;
// Growth is measured over so long.
constexpr uint64_t kWindowNs = sys::kNanosAMilli;
constexpr size_t kWindowsAhead = 4;
// A huge page dearer than this costs more than the small pages it stands for.
constexpr uint64_t kHugePriceLimitNs = 500000;

size_t span_bytes(SizeClass c) { return size_t{kClasses[c].span_slots} << native::kSlotShift; }

void note_prefault(size_t bytes, uint64_t ns) {
  runtime.server_counters.prefault_bytes.add(bytes);
  runtime.server_counters.prefault_ns.add(ns);
}

}  // namespace

// What lies ahead is prepared only for a heap that grows fast: a slow one gains nothing by it, and
// may never use it. Growth of the last window, faded since.
void Prefaulter::measure_growth(uint64_t now, size_t frontier) {
  const uint64_t elapsed = now - window_start_;
  if (elapsed < kWindowNs) return;
  const size_t moved = runtime.depot.growing_bytes();
  const size_t used = frontier > moved ? frontier - moved : 0;
  const size_t grown = used > window_used_ ? (used - window_used_) * kWindowNs / elapsed : 0;
  growth_ = grown > growth_ / 2 ? grown : growth_ / 2;
  window_start_ = now;
  window_used_ = used;
}

// Prepared memory is at most what a few windows use, a sixteenth of the heap, and prefault_max.
bool Prefaulter::within_lead(size_t from, size_t bytes, size_t frontier) const {
  size_t lead = growth_ * kWindowsAhead;
  if (lead > frontier / 16) lead = frontier / 16;
  if (lead > runtime.options.prefault_bytes) lead = runtime.options.prefault_bytes;
  return from + bytes <= frontier + lead && runtime.depot.region().map_through(from + bytes);
}

void populate_clean_span(SizeClass c, native::SpanSupply* span) {
  if (span->memory != native::SpanMemory::kClean || !runtime.options.prefault) return;
  if (sys::populate(runtime.depot.region().address(span->slot), span_bytes(c)))
    span->memory = native::SpanMemory::kUsed;
}

bool is_fresh(SizeClass c, native::SpanSupply span) {
  if (span.memory == native::SpanMemory::kUsed || !runtime.options.prefault) return false;
  return span.memory == native::SpanMemory::kClean ||
         !runtime.depot.is_prepared(size_t{span.slot} << native::kSlotShift, span_bytes(c));
}

bool Prefaulter::step(uint64_t now) {
  const Options& options = runtime.options;
  if (!options.prefault) return false;
  const size_t frontier = size_t{runtime.depot.region().frontier()} << native::kSlotShift;
  measure_growth(now, frontier);
  if (frontier == last_frontier_ && runtime.depot.prepared_through() >= frontier) return false;
  const bool huge_allowed = options.huge_pages != Switch::kOff &&
                            frontier >= options.huge_from_bytes && frontier >= next_huge_;
  if (huge_allowed && huge_step(frontier)) return true;
  if (!huge_allowed && small_step(frontier)) return true;
  last_frontier_ = frontier;
  return false;
}

// Nobody else's mapping, nor pages that the program has advised or mapped itself, lie there.
bool Prefaulter::is_all_ours(size_t from, size_t end) {
  const native::Region& region = runtime.depot.region();
  for (size_t slot = from >> native::kSlotShift; slot < end >> native::kSlotShift; ++slot) {
    const uint8_t code = region.class_of(slot);
    if (code == native::kForeign || code == native::kChanged) return false;
    if (code == native::kLargeHead && is_changed(region.address(static_cast<native::Slot>(slot))))
      return false;
  }
  return true;
}

// Where advice about huge pages from `from` on begins: at the end of what was advised last, where
// one more stretch would cut the heap into too many mappings. Beyond `from`: it is not given.
size_t Prefaulter::start_of_advice(size_t from) const {
  if (from == advised_through_ || runtime.depot.seams().allow_advice()) return from;
  const bool near = advised_through_ < from && from - advised_through_ <= kMostJoined;
  return near && advised_through_ != 0 && is_all_ours(advised_through_, from) ? advised_through_
                                                                              : ~size_t{0};
}

void Prefaulter::note_advice(size_t from, size_t end) {
  runtime.depot.seams().note_advised(static_cast<native::Slot>(from >> native::kSlotShift),
                                     (end - from) >> native::kSlotShift, from == advised_through_);
  advised_through_ = end;
}

bool Prefaulter::huge_step(size_t frontier) {
  constexpr size_t kStep = sys::kHugePageSize;
  size_t from = core::align_up(frontier, kStep);
  if (from < runtime.depot.prepared_through())
    from = core::align_up(runtime.depot.prepared_through(), kStep);
  if (!within_lead(from, kStep, frontier)) return false;
  const size_t start = start_of_advice(from);
  if (start > from) {
    next_huge_ = 2 * frontier + kStep;
    return false;
  }
  char* at = runtime.depot.region().base() + from;
  const uint64_t before = sys::monotonic_ns();
  const bool done =
      sys::prefer_huge_pages(at - (from - start), from + kStep - start) && sys::populate(at, kStep);
  note_advice(start, from + kStep);
  const uint64_t price = sys::monotonic_ns() - before;
  if (!done || price > kHugePriceLimitNs) next_huge_ = 2 * frontier + kStep;
  runtime.server_counters.prefault_huge.add(done);
  note_prefault(done ? kStep : 0, price);
  runtime.depot.note_prepared(from, kStep);
  return true;
}

bool Prefaulter::small_step(size_t frontier) {
  size_t from = core::align_up(frontier + kMargin, kMargin);
  if (from < runtime.depot.prepared_through()) from = runtime.depot.prepared_through();
  const size_t bytes = core::align_down(from, kSmallStep) + kSmallStep - from;
  if (!within_lead(from, bytes, frontier)) return false;
  const uint64_t before = sys::monotonic_ns();
  const bool done = sys::populate(runtime.depot.region().base() + from, bytes);
  runtime.server_counters.prefault_small.add(done);
  note_prefault(done ? bytes : 0, sys::monotonic_ns() - before);
  runtime.depot.note_prepared(from, bytes);
  return true;
}

}  // namespace mmt::offload
