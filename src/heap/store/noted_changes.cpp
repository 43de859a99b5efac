#include "heap/store/noted_changes.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>

namespace mmt::store {
namespace {

using sys::kPageSize;

constexpr size_t kSlotPages = kSlotBytes / kPageSize;
static_assert(kSlotPages <= 8 * sizeof(Span::changed_pages));

// Pages [from, to) of a span, as far as they lie in its slot number `slot`.
uint16_t pages_in_slot(size_t slot, size_t from, size_t to) {
  const size_t first = std::max(from, slot * kSlotPages) - slot * kSlotPages;
  const size_t last = std::min(to, (slot + 1) * kSlotPages);
  const size_t end = last > slot * kSlotPages ? last - slot * kSlotPages : 0;
  return static_cast<uint16_t>(first < end ? (1u << end) - (1u << first) : 0);
}

}  // namespace

Slot NotedChanges::large_head(Slot slot) {
  const Slot noted = noted_head_;
  if (noted <= slot && region_->class_of(noted) == kLargeHead &&
      slot - noted < region_->span(noted).large_slots)
    return noted;
  while (region_->class_of(slot) == kLargeBody) --slot;
  return noted_head_ = slot;
}

bool NotedChanges::is_in_unchanged_large(LockToken, const char* start, size_t bytes) {
  const size_t through = size_t{region_->frontier()} << kSlotShift;
  const auto offset =
      reinterpret_cast<uintptr_t>(start) - reinterpret_cast<uintptr_t>(region_->base());
  if (region_->base() == nullptr || offset >= through || bytes > through - offset) return false;
  const uint8_t c = region_->true_class_of(region_->slot_of(start));
  if (c != kLargeHead && c != kLargeBody) return false;
  const Slot head = large_head(region_->slot_of(start));
  const Span& span = region_->span(head);
  const size_t extent = size_t{span.large_slots} << kSlotShift;
  return span.change == Change::kNone &&
         static_cast<size_t>(start - region_->address(head)) + bytes <= extent;
}

void NotedChanges::note(LockToken, const char* start, size_t bytes, Change change) {
  const char* const base = region_->base();
  const char* const end =
      std::min(start + bytes, base + (size_t{region_->frontier()} << kSlotShift));
  start = std::max(start, base);
  while (start < end) {
    Slot slot = region_->slot_of(start);
    const uint8_t c = region_->true_class_of(slot);
    size_t slots = 1;
    if (c == kLargeHead || c == kLargeBody) {
      slot = large_head(slot);
      slots = region_->span(slot).large_slots;
      add_change(&region_->span(slot).change, change);
    } else if (c != kNoClass && c < kClassCount) {
      slot = span_start(slot, c);
      slots = kClasses[c].span_slots;
      if (kClasses[c].size >= kPageSize) note_in_span(slot, c, start, end, change);
    }
    start = region_->address(slot) + (slots << kSlotShift);
  }
}

// From the slot on in which the first block concerned starts: that is where its free looks.
void NotedChanges::note_in_span(Slot slot, SizeClass c, const char* start, const char* end,
                                Change change) {
  const ClassInfo& info = kClasses[c];
  const char* const base = region_->address(slot);
  const size_t span_bytes = size_t{info.span_slots} << kSlotShift;
  const size_t from = core::align_down(static_cast<size_t>(start - base), kPageSize);
  const size_t to =
      std::min(core::align_up(static_cast<size_t>(end - base), kPageSize), span_bytes);
  for (size_t i = from / info.size * info.size >> kSlotShift; i << kSlotShift < to; ++i) {
    Span& record = region_->span(slot + static_cast<Slot>(i));
    record.changed_class = static_cast<uint8_t>(c);
    record.changed_pages |= pages_in_slot(i, from / kPageSize, to / kPageSize);
    add_change(&record.change, change);
    region_->set_class(slot + static_cast<Slot>(i), kChanged);
  }
}

NotedChanges::Pages NotedChanges::take(LockToken lock, void* block) {
  const Slot any = region_->slot_of(block);
  const uint8_t c = region_->true_class_of(any);
  if (c == kLargeHead) {
    Span& head = region_->span(any);
    return {static_cast<char*>(block), size_t{head.used_slots} << kSlotShift,
            std::exchange(head.change, Change::kNone)};
  }
  const Slot slot = span_start(any, c);
  char* const base = region_->address(slot);
  const auto offset = static_cast<size_t>(static_cast<char*>(block) - base);
  const size_t from = core::ceil_div(offset, kPageSize);
  const size_t to = (offset + kClasses[c].size) / kPageSize;
  size_t lowest = to;
  size_t highest = from;
  Change change = Change::kNone;
  for (size_t i = from / kSlotPages; i * kSlotPages < to; ++i) {
    Span& record = region_->span(slot + static_cast<Slot>(i));
    const auto pages = static_cast<uint16_t>(record.changed_pages & pages_in_slot(i, from, to));
    if (pages == 0) continue;
    lowest = std::min(lowest, i * kSlotPages + static_cast<size_t>(std::countr_zero(pages)));
    highest = i * kSlotPages + static_cast<size_t>(std::bit_width(pages));
    add_change(&change, record.change);
    record.changed_pages &= static_cast<uint16_t>(~pages);
  }
  if (change == Change::kNone) return {};
  forget_noted_pages(lock, slot, c);
  return {base + lowest * kPageSize, (highest - lowest) * kPageSize, change};
}

// Once no changed page is left in the span, its frees are fast again.
void NotedChanges::forget_noted_pages(LockToken lock, Slot slot, SizeClass c) {
  const uint32_t count = kClasses[c].span_slots;
  for (uint32_t i = 0; i < count; ++i)
    if (region_->span(slot + i).changed_pages != 0) return;
  forget(lock, slot, count);
  for (uint32_t i = 0; i < count; ++i) region_->set_class(slot + i, static_cast<uint8_t>(c));
}

// Forgets the changes of a span's slots, and returns what was left in the slots.
Change NotedChanges::forget(LockToken, Slot slot, uint32_t count) {
  Change left = Change::kNone;
  for (uint32_t i = 0; i < count; ++i) {
    if (MMT_LIKELY(region_->class_of(slot + i) != kChanged)) continue;
    Span& record = region_->span(slot + i);
    if (record.changed_pages != 0) add_change(&left, record.change);
    record.changed_pages = 0;
    record.change = Change::kNone;
  }
  return left;
}

void NotedChanges::put_run(LockToken, Slot slot, uint32_t count, Change change) {
  Span& run = region_->span(slot);
  run.large_slots = count;
  run.change = change;
  run.next_sibling = runs_;
  __atomic_store_n(&runs_, slot + 1, __ATOMIC_RELAXED);
}

NotedChanges::Pages NotedChanges::take_run(LockToken) {
  if (runs_ == 0) return {};
  const Slot slot = runs_ - 1;
  Span& run = region_->span(slot);
  __atomic_store_n(&runs_, run.next_sibling, __ATOMIC_RELAXED);
  return {region_->address(slot), size_t{run.large_slots} << kSlotShift,
          std::exchange(run.change, Change::kNone)};
}

}  // namespace mmt::store
