#include "heap/store/free_runs.h"

namespace mmt::store {

void FreeRuns::open(Region* region, const PreparedMemory* prepared) {
  region_ = region;
  prepared_ = prepared;
  slots_.open(region);
}

void FreeRuns::note_skipped(Slot from, size_t count) {
  Span& run = region_->span(from);
  run.large_slots = static_cast<uint32_t>(count);
  skipped_.add(from + 1, [&](uint32_t link) { run.next_sibling = link; });
}

void FreeRuns::reclaim_skipped(LockToken) {
  give_chain(region_->take_left_behind());
  give_chain(skipped_.take_all());
}

void FreeRuns::give_chain(Slot link) {
  while (link != 0) {
    const Span run = region_->span(link - 1);
    const size_t from = size_t{link - 1} << kSlotShift;
    const size_t bytes = size_t{run.large_slots} << kSlotShift;
    slots_.give(link - 1, run.large_slots, prepared_->has_some(from, bytes));
    link = run.next_sibling;
  }
}

}  // namespace mmt::store
