#include "heap/store/depot.h"

#include "heap/store/large_sizes.h"

namespace mmt::store {

bool Depot::open(bool huge_pages, Slot first) {
  changes_.open(&region_);
  tally_.open(&runs_);
  mapped_.open(&tally_);
  large_.open(&region_, &runs_, &tally_);
  growth_.open(&region_, &runs_, &tally_, &large_);
  purging_.open(&region_, &seams_, &runs_, &tally_, &large_);
  spans_.open(&region_, &runs_, &changes_, &tally_);
  singles_.open(&region_, &spans_);
  returned_.open(&region_, &spans_);
  thinning_.open(&region_, &spans_);
  if (!region_.open(huge_pages, first)) return false;
  // These look at its tables.
  runs_.open(&region_, &prepared_);
  seams_.open(&region_);
  return true;
}

void Depot::keep_memory(bool keep) {
  runs_.keep_memory(keep);
  if (keep && region_.base() != nullptr) region_.keep_tables_resident();
}

void Depot::measure(LockToken lock, DepotUsage* usage) {
  runs_.reclaim_skipped(lock);
  large_.collect(lock, ~size_t{0});
  *usage = {};
  usage->frontier_bytes = runs_.ever_used() << kSlotShift;
  usage->free_slot_bytes = runs_.slots(lock).free_slots() << kSlotShift;
  usage->dirty_free_bytes = runs_.dirty_bytes();
  usage->clean_free_bytes = runs_.slots(lock).clean_slots(kHugeSlots) << kSlotShift;
  usage->own_mapping_bytes = mapped_.bytes(lock);
  tally_.measure(usage);
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const size_t spans = spans_.class_spans(c);
    usage->spans += spans;
    usage->span_bytes += spans * kClasses[c].span_slots << kSlotShift;
  }
}

void Depot::reset_in_child() {
  region_.reset_in_child();
  lock_.reset_in_child();
  tally_.begin_anew(runs_);
}

}  // namespace mmt::store
