#include "heap/store/slot_map.h"

#include <algorithm>
#include <bit>

#include <mmt/core/check.h>
#include <mmt/core/checked.h>

#include "heap/store/bit_runs.h"
#include "heap/store/bit_search.h"

namespace mmt::store {
namespace {

size_t count_bits(const uint64_t* bits, Slot first, size_t count) {
  size_t total = 0;
  for_each_word(first, count, [&](size_t word, uint64_t mask) {
    total += static_cast<size_t>(std::popcount(bits[word] & mask));
  });
  return total;
}

}  // namespace

void SlotMap::open(Region* region) {
  region_ = region;
  free_ = region->slot_bitmap(Side::kFree);
  dirty_ = region->slot_bitmap(Side::kDirty);
  aged_ = region->slot_bitmap(Side::kAged);
}

// Among the slots whose bits in the words of word_at are set.
template <class WordAt>
Slot SlotMap::find(WordAt&& word_at, size_t count, size_t alignment, Slot from, Slot end) const {
  Slot start = next_bit_of(word_at, from, end, true);
  while (start < end) {
    const size_t aligned = region_->align_slot(start, alignment);
    if (aligned + count > end) return kNoSlot;
    if (aligned != start) {
      start = static_cast<Slot>(aligned);
      if (const Slot next = next_bit_of(word_at, start, end, true); next != start) {
        start = next;
        continue;
      }
    }
    const Slot stop = next_bit_of(word_at, start, static_cast<Slot>(start + count), false);
    if (stop == start + count) return start;
    start = next_bit_of(word_at, stop, end, true);
  }
  return kNoSlot;
}

bool SlotMap::remove(Slot first, size_t count) {
  const size_t dirty = count_bits(dirty_, first, count);
  for_each_word(first, count, [&](size_t word, uint64_t mask) {
    free_[word] &= ~mask;
    dirty_[word] &= ~mask;
    aged_[word] &= ~mask;
  });
  free_count_.sub(count);
  dirty_count_.sub(dirty);
  least_dirty_ = std::min(least_dirty_, dirty_slots());
  return dirty == 0;
}

Slot SlotMap::find_free(size_t count, size_t alignment) {
  if (free_slots() < count) return kNoSlot;
  const Slot end = region_->frontier();
  lowest_ = next_bit(free_, lowest_, end, true);
  return find([this](uint32_t word) { return free_[word]; }, count, alignment, lowest_, end);
}

Slot SlotMap::take(size_t count, size_t alignment, bool* was_clean) {
  const Slot first = find_free(count, alignment);
  if (first != kNoSlot) *was_clean = remove(first, count);
  return first;
}

Slot SlotMap::take_dirty(size_t count, size_t alignment) {
  if (dirty_slots() < count) return kNoSlot;
  const Slot first = find([this](uint32_t word) { return dirty_[word]; }, count, alignment, lowest_,
                          region_->frontier());
  if (first != kNoSlot) remove(first, count);
  return first;
}

Slot SlotMap::take_clean(size_t count, size_t alignment) {
  if (free_slots() - dirty_slots() < count) return kNoSlot;
  const Slot first = find([this](uint32_t word) { return free_[word] & ~dirty_[word]; }, count,
                          alignment, lowest_, region_->frontier());
  if (first != kNoSlot) remove(first, count);
  return first;
}

size_t SlotMap::clean_run(Slot first, size_t most) const {
  const size_t end = std::min<size_t>(first + most, region_->frontier());
  if (first >= end) return 0;
  const auto stop = next_bit_of([this](uint32_t word) { return free_[word] & ~dirty_[word]; },
                                first, static_cast<Slot>(end), false);
  return stop - first;
}

size_t SlotMap::clean_slots(size_t count) const {
  const auto word_at = [this](uint32_t word) { return free_[word] & ~dirty_[word]; };
  const Slot end = region_->frontier();
  size_t slots = 0;
  for (Slot at = lowest_; (at = find(word_at, count, count, at, end)) != kNoSlot;) {
    slots += count;
    at += static_cast<Slot>(count);
  }
  return slots;
}

bool SlotMap::take_at(Slot first, size_t count, bool* was_clean) {
  const size_t end = first + count;
  if (end > region_->frontier()) return false;
  if (next_bit(free_, first, static_cast<Slot>(end), false) != end) return false;
  *was_clean = remove(first, count);
  return true;
}

void SlotMap::give(Slot first, size_t count, bool dirty) {
  MMT_PARANOID_CHECK(count_bits(free_, first, count) == 0, "slot freed twice", first);
  for_each_word(first, count, [&](size_t word, uint64_t mask) {
    free_[word] |= mask;
    if (dirty) dirty_[word] |= mask;
  });
  free_count_.add(count);
  if (dirty) dirty_count_.add(count);
  if (first < lowest_) lowest_ = first;
}

size_t SlotMap::find_dirty(Slot from, size_t most, bool aged_only, Slot* first) const {
  const Slot end = region_->frontier();
  const uint64_t* bits = aged_only ? aged_ : dirty_;
  *first = next_bit(bits, from, end, true);
  if (*first == end) return 0;
  const size_t stop = *first + most < end ? *first + most : end;
  return next_bit(bits, *first, static_cast<Slot>(stop), false) - *first;
}

size_t SlotMap::find_highest_dirty(size_t most, Slot* first) const {
  size_t word = core::ceil_div(region_->frontier(), 64);
  while (word > 0 && dirty_[word - 1] == 0) --word;
  if (word == 0) return 0;
  Slot last = static_cast<Slot>((word - 1) * 64 + 63 -
                                static_cast<size_t>(std::countl_zero(dirty_[word - 1])));
  size_t count = 1;
  const auto is_dirty = [&](Slot slot) { return (dirty_[slot / 64] >> (slot % 64) & 1) != 0; };
  while (count < most && last > 0 && is_dirty(last - 1)) {
    --last;
    ++count;
  }
  *first = last;
  return count;
}

void SlotMap::age() {
  const size_t words = core::ceil_div(region_->frontier(), 64);
  for (size_t i = 0; i < words; ++i) aged_[i] = dirty_[i];
}

}  // namespace mmt::store
