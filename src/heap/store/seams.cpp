#include "heap/store/seams.h"

#include <bit>

#include "heap/store/bit_runs.h"
#include "heap/store/bit_search.h"

namespace mmt::store {
namespace {

// Relaxed throughout: neighbours share words, but no order follows from a bit.
uint64_t load(const uint64_t* word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

}  // namespace

void Seams::open(const Region* region) {
  region_ = region;
  displaced_ = region->slot_bitmap(Side::kDisplaced);
  seams_ = region->slot_bitmap(Side::kSeams);
}

// Beyond the mapped end there is no table, and nothing to be cut.
bool Seams::has_record(size_t slot) const { return slot < region_->mapped_bytes() >> kSlotShift; }

bool Seams::is_displaced(size_t slot) const {
  return has_record(slot) && (load(&displaced_[slot / 64]) >> (slot % 64) & 1) != 0;
}

void Seams::set_seam(size_t slot, bool wanted) {
  if (!has_record(slot)) return;
  const uint64_t bit = uint64_t{1} << (slot % 64);
  uint64_t* const word = &seams_[slot / 64];
  const uint64_t before = wanted ? __atomic_fetch_or(word, bit, __ATOMIC_RELAXED)
                                 : __atomic_fetch_and(word, ~bit, __ATOMIC_RELAXED);
  if (wanted && (before & bit) == 0) count_.fetch_add(1, std::memory_order_relaxed);
  if (!wanted && (before & bit) != 0) count_.fetch_sub(1, std::memory_order_relaxed);
}

void Seams::clear_within(Slot first, size_t slots) {
  for_each_word(first + 1, slots - 1, [this](size_t word, uint64_t mask) {
    if ((load(&seams_[word]) & mask) == 0) return;
    const uint64_t before = __atomic_fetch_and(&seams_[word], ~mask, __ATOMIC_RELAXED);
    count_.fetch_sub(static_cast<size_t>(std::popcount(before & mask)), std::memory_order_relaxed);
  });
}

void Seams::note_moved(Slot from, Slot first, size_t slots) {
  note_moved_mapping(first, slots);
  for (size_t at = whole_run(from, slots); at < slots;
       at += whole_run(from + static_cast<Slot>(at), slots - at))
    set_seam(first + at, true);
}

void Seams::note_moved_mapping(Slot first, size_t slots) {
  for_each_word(first, slots, [this](size_t word, uint64_t mask) {
    __atomic_fetch_or(&displaced_[word], mask, __ATOMIC_RELAXED);
  });
  clear_within(first, slots);
  if (first != 0) set_seam(first, true);
  set_seam(first + slots, true);
}

void Seams::note_renewed(Slot first, size_t slots) {
  for_each_word(first, slots, [this](size_t word, uint64_t mask) {
    if ((load(&displaced_[word]) & mask) != 0)
      __atomic_fetch_and(&displaced_[word], ~mask, __ATOMIC_RELAXED);
  });
  clear_within(first, slots);
  if (first != 0) set_seam(first, is_displaced(first - 1));
  set_seam(first + slots, is_displaced(first + slots));
}

void Seams::note_advised(Slot first, size_t slots, bool continues) {
  if (first != 0) set_seam(first, !continues || is_displaced(first) || is_displaced(first - 1));
  set_seam(first + slots, true);
}

size_t Seams::whole_run(Slot first, size_t most) const {
  if (count() == 0) return most;
  const auto end = static_cast<uint32_t>(first + most);
  return next_bit_of([this](uint32_t word) { return load(&seams_[word]); }, first + 1, end, true) -
         first;
}

bool Seams::renewal_pays(Slot first, size_t slots) const {
  if (count() == 0) return false;
  bool any_displaced = false;
  size_t seams = has_record(first + slots)
                     ? load(&seams_[(first + slots) / 64]) >> ((first + slots) % 64) & 1
                     : 0;
  for_each_word(first, slots, [&](size_t word, uint64_t mask) {
    any_displaced |= (load(&displaced_[word]) & mask) != 0;
    seams += static_cast<size_t>(std::popcount(load(&seams_[word]) & mask));
  });
  const size_t left = size_t{first != 0 && is_displaced(first - 1)} + is_displaced(first + slots);
  return any_displaced && left <= seams;
}

}  // namespace mmt::store
