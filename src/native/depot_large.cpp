// The depot's large blocks: runs of slots, and the way of free slots back to the OS.
#include <algorithm>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>

#include "native/depot.h"

namespace mmt::native {
namespace {

constexpr size_t kHugeSlots = sys::kHugePageSize >> kSlotShift;
// Room to grow beyond what is asked for.
constexpr size_t kLeastRoom = 16;
// Returned large blocks that one call takes back on its way.
constexpr size_t kCollectedOnTheWay = 16;

size_t slots_for(size_t bytes) { return core::ceil_div(bytes == 0 ? 1 : bytes, kSlotBytes); }

// Blocks of several huge pages start on one, so that they can be backed and moved by whole ones.
size_t slot_alignment(size_t count, size_t alignment) {
  const size_t asked = alignment <= kSlotBytes ? 1 : alignment >> kSlotShift;
  const size_t wanted = count >= 2 * kHugeSlots ? kHugeSlots : 1;
  return asked > wanted ? asked : wanted;
}

// Of a place for a block that needs so many, and is to grow.
size_t growing_slots(size_t needed) { return core::align_up(2 * needed, kHugeSlots); }

size_t room_for(size_t slots) { return std::max(slots / 8, kLeastRoom); }

bool too_large(size_t bytes, size_t alignment) {
  return bytes > (kMaxSlots << kSlotShift) / 2 || alignment > (kMaxSlots << kSlotShift) / 2;
}

// What the program may use of a block of so many bytes: whole pages.
size_t usable_bytes(size_t bytes) { return core::align_up(bytes == 0 ? 1 : bytes, sys::kPageSize); }

}  // namespace

void* Depot::format_large(Slot slot, size_t count, size_t bytes) {
  Span& span = region_.span(slot);
  span.large_slots = static_cast<uint32_t>(count);
  span.used_slots = static_cast<uint32_t>(slots_for(bytes));
  span.large_bytes = usable_bytes(bytes);
  span.clean_room = false;
  span.change = Change::kNone;
  region_.set_classes(slot + 1, count - 1, kLargeBody);
  region_.set_class(slot, kLargeHead);
  tally_.add_large(span.large_bytes);
  return region_.address(slot);
}

// The clean runs among free slots that the first `bytes` of a block are to lie in.
void Depot::find_clean_parts(LockToken lock, Slot first, size_t bytes, CleanParts* clean) {
  const char* const end = region_.address(first) + bytes;
  const auto stop = first + static_cast<Slot>(slots_for(bytes));
  for (Slot slot = first; slot < stop; ++slot) {
    const size_t run = runs_.slots(lock).clean_run(slot, stop - slot);
    if (run == 0) continue;
    char* const start = region_.address(slot);
    clean->add(start, std::min(run << kSlotShift, static_cast<size_t>(end - start)));
    slot += static_cast<Slot>(run);
  }
}

// Where memory is kept it goes before alignment that nobody has asked for.
Slot Depot::take_dirty_run(LockToken lock, size_t count, size_t alignment) {
  const Slot slot = runs_.slots(lock).take_dirty(count, slot_alignment(count, alignment));
  if (slot != kNoSlot || !runs_.keeps_memory()) return slot;
  return runs_.slots(lock).take_dirty(count, slot_alignment(1, alignment));
}

bool Depot::is_scattered(LockToken lock, size_t bytes, size_t alignment) {
  if (too_large(bytes, alignment) || runs_.slots(lock).dirty_slots() < slots_for(bytes) / 2)
    return false;
  collect_large(lock, ~size_t{0});
  const size_t count = slots_for(bytes);
  const Slot slot = take_dirty_run(lock, count, alignment);
  if (slot == kNoSlot) return true;
  runs_.slots(lock).give(slot, count, true);
  return false;
}

void* Depot::take_large(LockToken lock, size_t bytes, size_t alignment, CleanParts* clean) {
  clean->clear();
  if (too_large(bytes, alignment)) return nullptr;
  collect_large(lock, kCollectedOnTheWay);
  const size_t count = slots_for(bytes);
  const size_t slot_align = slot_alignment(count, alignment);
  Slot slot = take_dirty_run(lock, count, alignment);
  if (slot == kNoSlot) {
    runs_.reclaim_skipped(lock);
    slot = runs_.slots(lock).find_free(count, slot_align);
    if (slot != kNoSlot) {
      find_clean_parts(lock, slot, bytes, clean);
      bool all_clean;
      runs_.slots(lock).take_at(slot, count, &all_clean);
    }
  }
  if (slot != kNoSlot) return format_large(slot, count, bytes);
  void* const block = carve_large_within<Reach::kMapped>(bytes, alignment);
  if (block != nullptr) clean->add(block, bytes);
  return block;
}

void* Depot::carve_large(size_t bytes, size_t alignment) {
  return carve_large_within<Reach::kAnywhere>(bytes, alignment);
}

template <Reach kReach>
void* Depot::carve_large_within(size_t bytes, size_t alignment) {
  if (too_large(bytes, alignment)) return nullptr;
  const size_t count = slots_for(bytes);
  const Slot slot = runs_.carve<kReach>(count, slot_alignment(count, alignment));
  return slot == kNoSlot ? nullptr : format_large(slot, count, bytes);
}

void* Depot::take_growing(LockToken lock, size_t bytes, size_t extent) {
  if (too_large(bytes, 1)) return nullptr;
  const size_t needed = std::max(slots_for(bytes), extent >> kSlotShift);
  const size_t count = growing_slots(needed);
  Slot slot = runs_.slots(lock).take_clean(count, kHugeSlots);
  if (slot == kNoSlot) {
    slot = runs_.carve<Reach::kMapped>(count, kHugeSlots);
    if (slot == kNoSlot) return nullptr;
    growing_slots_.add(count);
  }
  void* block = format_large(slot, count, bytes);
  region_.span(slot).used_slots = static_cast<uint32_t>(needed);
  region_.span(slot).clean_room = true;
  return block;
}

void Depot::map_for_growing(size_t bytes, size_t extent) {
  if (too_large(bytes, 1)) return;
  const size_t needed = std::max(slots_for(bytes), extent >> kSlotShift);
  const size_t end = region_.align_slot(region_.frontier(), kHugeSlots) + growing_slots(needed);
  static_cast<void>(region_.map_through(end << kSlotShift));
}

void Depot::map_for_resizing(const void* block, size_t bytes) {
  if (too_large(bytes, 1)) return;
  const Slot slot = region_.slot_of(block);
  const Slot end = slot + region_.span(slot).large_slots;
  const size_t wanted = slot + slots_for(bytes);
  if (end != region_.frontier() || wanted <= end) return;
  static_cast<void>(region_.map_through((wanted + room_for(slots_for(bytes))) << kSlotShift) ||
                    region_.map_through(wanted << kSlotShift));
}

void Depot::give_large(LockToken lock, void* block, bool moved) {
  const Slot slot = region_.slot_of(block);
  const Span span = region_.span(slot);
  region_.set_classes(slot, span.large_slots, kNoClass);
  tally_.remove_large(span.large_bytes);  // before it counts as free
  runs_.slots(lock).give(slot, span.used_slots, !moved);
  give_room(lock, slot, span);
  tally_.note_held();
}

void Depot::give_room(LockToken lock, Slot slot, const Span& span) {
  if (span.used_slots != span.large_slots)
    runs_.slots(lock).give(slot + span.used_slots, span.large_slots - span.used_slots,
                           !span.clean_room);
}

void Depot::note_filled(void* block, size_t bytes) {
  Span& span = region_.span(region_.slot_of(block));
  const auto slots = static_cast<uint32_t>(bytes >> kSlotShift);
  if (slots > span.used_slots) span.used_slots = slots;
}

void Depot::cut_large(void* block, size_t bytes) {
  const Slot slot = region_.slot_of(block);
  Span& span = region_.span(slot);
  const auto left = static_cast<uint32_t>(bytes >> kSlotShift);
  region_.set_classes(slot + left, span.large_slots - left, kForeign);
  span.large_slots = span.used_slots = left;
  if (span.large_bytes > bytes) set_large_bytes(span, bytes);
}

void Depot::set_large_bytes(Span& span, size_t bytes) {
  tally_.change_large(span.large_bytes, bytes);
  span.large_bytes = bytes;
}

void Depot::abandon_large(void* block) {
  const Slot slot = region_.slot_of(block);
  const Span span = region_.span(slot);
  region_.set_classes(slot, span.large_slots, kForeign);
  tally_.remove_large(span.large_bytes);
}

void Depot::return_large(void* block, bool moved) { return_run(region_.slot_of(block), moved); }

void Depot::return_purged(Slot first, size_t count, bool clean) {
  region_.span(first).large_slots = static_cast<uint32_t>(count);
  return_run(first, clean);
}

void Depot::return_run(Slot slot, bool emptied) {
  Span& run = region_.span(slot);
  run.emptied = emptied;
  returned_large_.add(slot + 1, [&](uint32_t link) { run.next_sibling = link; });
}

bool Depot::collect_large(LockToken lock, size_t most) {
  uint32_t link = collected_large_;
  for (; most > 0; --most) {
    if (link == 0) link = returned_large_.take_all();
    if (link == 0) break;
    const Slot slot = link - 1;
    const Span run = region_.span(slot);
    if (region_.class_of(slot) == kLargeHead)
      give_large(lock, region_.address(slot), run.emptied);
    else
      runs_.slots(lock).give(slot, run.large_slots, !run.emptied);
    link = run.next_sibling;
  }
  tally_.note_held();
  __atomic_store_n(&collected_large_, link, __ATOMIC_RELAXED);  // has_returned_large() guesses
  return !has_returned_large();
}

bool Depot::resize_large(LockToken lock, void* block, size_t bytes, size_t* fresh) {
  *fresh = 0;
  if (too_large(bytes, 1)) return false;
  const Slot slot = region_.slot_of(block);
  Span& span = region_.span(slot);
  const size_t wanted = slots_for(bytes);
  if (wanted > span.large_slots) {
    const Slot end = slot + span.large_slots;
    size_t more = wanted - span.large_slots;
    bool clean = true;
    // Room that holds no memory costs nothing: some of it is taken at once.
    const size_t with_room = more + room_for(wanted);
    const size_t run = runs_.slots(lock).clean_run(end, with_room);
    if (run >= more)
      runs_.slots(lock).take_at(end, more = run, &clean);
    else if (region_.carve_at<Reach::kMapped>(end, with_room))
      more = with_room;
    else if (const size_t dirty = runs_.slots(lock).dirty_slots();
             runs_.slots(lock).take_at(end, more, &clean))
      *fresh = (more - (dirty - runs_.slots(lock).dirty_slots())) << kSlotShift;
    else if (!region_.carve_at<Reach::kMapped>(end, more))
      return false;
    region_.set_classes(end, more, kLargeBody);
    span.clean_room = clean && (span.clean_room || span.used_slots == span.large_slots);
    span.large_slots += static_cast<uint32_t>(more);
  } else if (wanted < slots_for(span.large_bytes)) {
    const Slot end = slot + static_cast<Slot>(wanted);
    set_large_bytes(span, usable_bytes(bytes));  // before its end counts as free
    region_.set_classes(end, span.large_slots - wanted, kNoClass);
    runs_.slots(lock).give(end, span.used_slots - wanted, true);
    give_room(lock, slot, span);
    span.large_slots = static_cast<uint32_t>(wanted);
    span.used_slots = static_cast<uint32_t>(wanted);
    tally_.note_held();
  }
  if (wanted > span.used_slots) span.used_slots = static_cast<uint32_t>(wanted);
  set_large_bytes(span, usable_bytes(bytes));
  return true;
}

size_t Depot::begin_purge(LockToken lock, Slot from, size_t most, bool aged_only, Slot* first) {
  collect_large(lock, kCollectedOnTheWay);
  const size_t count = runs_.slots(lock).find_dirty(from, most, aged_only, first);
  bool clean;
  if (count != 0) runs_.slots(lock).take_at(*first, count, &clean);
  return count;
}

size_t Depot::begin_purge_top(LockToken lock, size_t most, Slot* first) {
  collect_large(lock, kCollectedOnTheWay);
  const size_t count = runs_.slots(lock).find_highest_dirty(most, first);
  bool clean;
  if (count != 0) runs_.slots(lock).take_at(*first, count, &clean);
  return count;
}

PurgeResult Depot::purge_pages(Slot first, size_t count, Discard discard) {
  if (discard == nullptr && seams_.renewal_pays(first, count)) return renew_pages(first, count);
  char* const at = region_.address(first);
  const size_t bytes = count << kSlotShift;
  const bool clean = discard != nullptr ? discard(at, bytes) : sys::discard(at, bytes);
  return clean ? PurgeResult::kClean : PurgeResult::kDirty;
}

PurgeResult Depot::renew_pages(Slot first, size_t count) {
  if (!seams_.renewal_pays(first, count)) return PurgeResult::kClean;
  char* const at = region_.address(first);
  if (sys::renew(at, count << kSlotShift)) {
    seams_.note_renewed(first, count);
    return PurgeResult::kClean;
  }
  // It may have been unmapped.
  region_.set_classes(first, count, kForeign);
  budget().unmap(at, count << kSlotShift);
  return PurgeResult::kLost;
}

void Depot::end_purge(LockToken lock, Slot first, size_t count, bool clean) {
  runs_.slots(lock).give(first, count, !clean);
  tally_.note_held();
}

void Depot::abandon_run(LockToken, Slot first, size_t count) {
  for (size_t i = 0; i < count; ++i) region_.set_class(first + static_cast<Slot>(i), kForeign);
}

void Depot::measure(LockToken lock, DepotUsage* usage) {
  runs_.reclaim_skipped(lock);
  collect_large(lock, ~size_t{0});
  *usage = {};
  usage->frontier_bytes = runs_.ever_used() << kSlotShift;
  usage->free_slot_bytes = runs_.slots(lock).free_slots() << kSlotShift;
  usage->dirty_free_bytes = runs_.slots(lock).dirty_slots() << kSlotShift;
  usage->own_mapping_bytes = mapped_.bytes(lock);
  tally_.measure(usage);
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const size_t spans = class_spans(c);
    usage->spans += spans;
    usage->span_bytes += spans * kClasses[c].span_slots << kSlotShift;
  }
}

}  // namespace mmt::native
