#include "heap/store/purging.h"

#include <mmt/sys/pages.h>

namespace mmt::store {

void Purging::open(Region* region, Seams* seams, FreeRuns* runs, Tally* tally, LargeRuns* large) {
  region_ = region;
  seams_ = seams;
  runs_ = runs;
  tally_ = tally;
  large_ = large;
}

size_t Purging::begin(LockToken lock, Slot from, size_t most, bool aged_only, Slot* first) {
  large_->collect(lock, LargeRuns::kCollectedOnTheWay);
  SlotMap& slots = runs_->slots(lock);
  const size_t count = slots.find_dirty(from, most, aged_only, first);
  bool clean;
  if (count != 0) slots.take_at(*first, count, &clean);
  return count;
}

size_t Purging::begin_top(LockToken lock, size_t most, Slot* first) {
  large_->collect(lock, LargeRuns::kCollectedOnTheWay);
  SlotMap& slots = runs_->slots(lock);
  const size_t count = slots.find_highest_dirty(most, first);
  bool clean;
  if (count != 0) slots.take_at(*first, count, &clean);
  return count;
}

PurgeResult Purging::purge_pages(Slot first, size_t count, Discard discard) {
  if (discard == nullptr && seams_->renewal_pays(first, count)) return renew_pages(first, count);
  char* const at = region_->address(first);
  const size_t bytes = count << kSlotShift;
  const bool clean = discard != nullptr ? discard(at, bytes) : sys::discard(at, bytes);
  return clean ? PurgeResult::kClean : PurgeResult::kDirty;
}

PurgeResult Purging::renew_pages(Slot first, size_t count) {
  if (!seams_->renewal_pays(first, count)) return PurgeResult::kClean;
  char* const at = region_->address(first);
  if (sys::renew(at, count << kSlotShift)) {
    seams_->note_renewed(first, count);
    return PurgeResult::kClean;
  }
  // It may have been unmapped.
  region_->set_classes(first, count, kForeign);
  region_->budget().unmap(at, count << kSlotShift);
  return PurgeResult::kLost;
}

void Purging::end(LockToken lock, Slot first, size_t count, bool clean) {
  runs_->slots(lock).give(first, count, !clean);
  tally_->note_held();
}

void Purging::abandon(LockToken, Slot first, size_t count) {
  for (size_t i = 0; i < count; ++i) region_->set_class(first + static_cast<Slot>(i), kForeign);
}

}  // namespace mmt::store
