#include "heap/store/large_runs.h"

#include <algorithm>

#include "heap/store/large_sizes.h"

namespace mmt::store {

void LargeRuns::open(Region* region, FreeRuns* runs, Tally* tally) {
  region_ = region;
  runs_ = runs;
  tally_ = tally;
}

void* LargeRuns::format(Slot slot, size_t count, size_t bytes) {
  Span& span = region_->span(slot);
  span.large_slots = static_cast<uint32_t>(count);
  span.used_slots = static_cast<uint32_t>(slots_for(bytes));
  span.large_bytes = usable_bytes(bytes);
  span.clean_room = false;
  span.change = Change::kNone;
  region_->set_classes(slot + 1, count - 1, kLargeBody);
  region_->set_class(slot, kLargeHead);
  tally_->add_large(span.large_bytes);
  return region_->address(slot);
}

// The clean runs among free slots that the first `bytes` of a block are to lie in.
void LargeRuns::find_clean_parts(const SlotMap& slots, Slot first, size_t bytes,
                                 CleanParts* clean) const {
  const char* const end = region_->address(first) + bytes;
  const auto stop = first + static_cast<Slot>(slots_for(bytes));
  for (Slot slot = first; slot < stop; ++slot) {
    const size_t run = slots.clean_run(slot, stop - slot);
    if (run == 0) continue;
    char* const start = region_->address(slot);
    clean->add(start, std::min(run << kSlotShift, static_cast<size_t>(end - start)));
    slot += static_cast<Slot>(run);
  }
}

// Where memory is kept it goes before alignment that nobody has asked for.
Slot LargeRuns::take_dirty(LockToken lock, size_t count, size_t alignment) {
  SlotMap& slots = runs_->slots(lock);
  const Slot slot = slots.take_dirty(count, slot_alignment(count, alignment));
  if (slot != kNoSlot || !runs_->keeps_memory()) return slot;
  return slots.take_dirty(count, slot_alignment(1, alignment));
}

bool LargeRuns::is_scattered(LockToken lock, size_t bytes, size_t alignment) {
  SlotMap& slots = runs_->slots(lock);
  if (too_large(bytes, alignment) || slots.dirty_slots() < slots_for(bytes) / 2) return false;
  collect(lock, ~size_t{0});
  const size_t count = slots_for(bytes);
  const Slot slot = take_dirty(lock, count, alignment);
  if (slot == kNoSlot) return true;
  slots.give(slot, count, true);
  return false;
}

void* LargeRuns::take(LockToken lock, size_t bytes, size_t alignment, CleanParts* clean) {
  clean->clear();
  if (too_large(bytes, alignment)) return nullptr;
  collect(lock, kCollectedOnTheWay);
  const size_t count = slots_for(bytes);
  const size_t slot_align = slot_alignment(count, alignment);
  Slot slot = take_dirty(lock, count, alignment);
  if (slot == kNoSlot) {
    runs_->reclaim_skipped(lock);
    SlotMap& slots = runs_->slots(lock);
    slot = slots.find_free(count, slot_align);
    if (slot != kNoSlot) {
      find_clean_parts(slots, slot, bytes, clean);
      bool all_clean;
      slots.take_at(slot, count, &all_clean);
    }
  }
  if (slot != kNoSlot) return format(slot, count, bytes);
  void* const block = carve_within<Reach::kMapped>(bytes, alignment);
  if (block != nullptr) clean->add(block, bytes);
  return block;
}

template <Reach kReach>
void* LargeRuns::carve_within(size_t bytes, size_t alignment) {
  if (too_large(bytes, alignment)) return nullptr;
  const size_t count = slots_for(bytes);
  const Slot slot = runs_->carve<kReach>(count, slot_alignment(count, alignment));
  return slot == kNoSlot ? nullptr : format(slot, count, bytes);
}

void* LargeRuns::carve(size_t bytes, size_t alignment) {
  return carve_within<Reach::kAnywhere>(bytes, alignment);
}

void LargeRuns::give(LockToken lock, void* block, bool moved) {
  const Slot slot = region_->slot_of(block);
  const Span span = region_->span(slot);
  region_->set_classes(slot, span.large_slots, kNoClass);
  tally_->remove_large(span.large_bytes);  // before it counts as free
  runs_->slots(lock).give(slot, span.used_slots, !moved);
  give_room(lock, slot, span);
  tally_->note_held();
}

void LargeRuns::give_room(LockToken lock, Slot slot, const Span& span) {
  if (span.used_slots != span.large_slots)
    runs_->slots(lock).give(slot + span.used_slots, span.large_slots - span.used_slots,
                            !span.clean_room);
}

void LargeRuns::abandon(void* block) {
  const Slot slot = region_->slot_of(block);
  const Span span = region_->span(slot);
  region_->set_classes(slot, span.large_slots, kForeign);
  tally_->remove_large(span.large_bytes);
}

void LargeRuns::return_block(void* block, bool moved) {
  return_run(region_->slot_of(block), moved);
}

void LargeRuns::return_slots(Slot first, size_t count, bool clean) {
  region_->span(first).large_slots = static_cast<uint32_t>(count);
  return_run(first, clean);
}

void LargeRuns::return_run(Slot slot, bool emptied) {
  Span& run = region_->span(slot);
  run.emptied = emptied;
  returned_.add(slot + 1, [&](uint32_t link) { run.next_sibling = link; });
}

bool LargeRuns::collect(LockToken lock, size_t most) {
  uint32_t link = collected_;
  for (; most > 0; --most) {
    if (link == 0) link = returned_.take_all();
    if (link == 0) break;
    const Slot slot = link - 1;
    const Span run = region_->span(slot);
    if (region_->class_of(slot) == kLargeHead)
      give(lock, region_->address(slot), run.emptied);
    else
      runs_->slots(lock).give(slot, run.large_slots, !run.emptied);
    link = run.next_sibling;
  }
  tally_->note_held();
  __atomic_store_n(&collected_, link, __ATOMIC_RELAXED);  // has_returned() guesses
  return !has_returned();
}

}  // namespace mmt::store
