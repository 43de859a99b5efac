#include "heap/store/large_growth.h"

#include <algorithm>

#include <mmt/core/checked.h>

#include "heap/store/large_sizes.h"

namespace mmt::store {
namespace {

// Room to grow beyond what is asked for.
constexpr size_t kLeastRoom = 16;

// A block that needs `needed` slots, and is to grow, gets a place of so many.
size_t growing_slots(size_t needed) { return core::align_up(2 * needed, kHugeSlots); }

size_t room_for(size_t slots) { return std::max(slots / 8, kLeastRoom); }

}  // namespace

void LargeGrowth::open(Region* region, FreeRuns* runs, Tally* tally, LargeRuns* large) {
  region_ = region;
  runs_ = runs;
  tally_ = tally;
  large_ = large;
}

void* LargeGrowth::take(LockToken lock, size_t bytes, size_t extent) {
  if (too_large(bytes, 1)) return nullptr;
  const size_t needed = std::max(slots_for(bytes), extent >> kSlotShift);
  const size_t count = growing_slots(needed);
  Slot slot = runs_->slots(lock).take_clean(count, kHugeSlots);
  if (slot == kNoSlot) {
    slot = runs_->carve<Reach::kMapped>(count, kHugeSlots);
    if (slot == kNoSlot) return nullptr;
    taken_slots_.add(count);
  }
  void* block = large_->format(slot, count, bytes);
  region_->span(slot).used_slots = static_cast<uint32_t>(needed);
  region_->span(slot).clean_room = true;
  return block;
}

void LargeGrowth::map_for_taking(size_t bytes, size_t extent) {
  if (too_large(bytes, 1)) return;
  const size_t needed = std::max(slots_for(bytes), extent >> kSlotShift);
  const size_t end = region_->align_slot(region_->frontier(), kHugeSlots) + growing_slots(needed);
  static_cast<void>(region_->map_through(end << kSlotShift));
}

void LargeGrowth::map_for_resizing(const void* block, size_t bytes) {
  if (too_large(bytes, 1)) return;
  const Slot slot = region_->slot_of(block);
  const Slot end = slot + region_->span(slot).large_slots;
  const size_t wanted = slot + slots_for(bytes);
  if (end != region_->frontier() || wanted <= end) return;
  static_cast<void>(region_->map_through((wanted + room_for(slots_for(bytes))) << kSlotShift) ||
                    region_->map_through(wanted << kSlotShift));
}

bool LargeGrowth::resize(LockToken lock, void* block, size_t bytes, size_t* fresh) {
  *fresh = 0;
  if (too_large(bytes, 1)) return false;
  const Slot slot = region_->slot_of(block);
  Span& span = region_->span(slot);
  SlotMap& slots = runs_->slots(lock);
  const size_t wanted = slots_for(bytes);
  if (wanted > span.large_slots) {
    const Slot end = slot + span.large_slots;
    size_t more = wanted - span.large_slots;
    bool clean = true;
    // Room that holds no memory costs nothing: some of it is taken at once.
    const size_t with_room = more + room_for(wanted);
    const size_t run = slots.clean_run(end, with_room);
    if (run >= more)
      slots.take_at(end, more = run, &clean);
    else if (region_->carve_at<Reach::kMapped>(end, with_room))
      more = with_room;
    else if (const size_t dirty = slots.dirty_slots(); slots.take_at(end, more, &clean))
      *fresh = (more - (dirty - slots.dirty_slots())) << kSlotShift;
    else if (!region_->carve_at<Reach::kMapped>(end, more))
      return false;
    region_->set_classes(end, more, kLargeBody);
    span.clean_room = clean && (span.clean_room || span.used_slots == span.large_slots);
    span.large_slots += static_cast<uint32_t>(more);
  } else if (wanted < slots_for(span.large_bytes)) {
    const Slot end = slot + static_cast<Slot>(wanted);
    set_bytes(span, usable_bytes(bytes));  // before its end counts as free
    region_->set_classes(end, span.large_slots - wanted, kNoClass);
    slots.give(end, span.used_slots - wanted, true);
    large_->give_room(lock, slot, span);
    span.large_slots = static_cast<uint32_t>(wanted);
    span.used_slots = static_cast<uint32_t>(wanted);
    tally_->note_held();
  }
  if (wanted > span.used_slots) span.used_slots = static_cast<uint32_t>(wanted);
  set_bytes(span, usable_bytes(bytes));
  return true;
}

void LargeGrowth::note_filled(void* block, size_t bytes) {
  Span& span = region_->span(region_->slot_of(block));
  const auto slots = static_cast<uint32_t>(bytes >> kSlotShift);
  if (slots > span.used_slots) span.used_slots = slots;
}

void LargeGrowth::cut(void* block, size_t bytes) {
  const Slot slot = region_->slot_of(block);
  Span& span = region_->span(slot);
  const auto left = static_cast<uint32_t>(bytes >> kSlotShift);
  region_->set_classes(slot + left, span.large_slots - left, kForeign);
  span.large_slots = span.used_slots = left;
  if (span.large_bytes > bytes) set_bytes(span, bytes);
}

void LargeGrowth::set_bytes(Span& span, size_t bytes) {
  tally_->change_large(span.large_bytes, bytes);
  span.large_bytes = bytes;
}

}  // namespace mmt::store
