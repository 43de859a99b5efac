#pragma once
// The slot map knows which slots below the frontier are free, which of those still hold memory, and
// since when. It has one bit a slot and question, and is searched by words. Bits need no
// coalescing: neighbours that become free are one run at once. All calls want the depot lock.
//
// - free: the slot belongs to nobody.
// - dirty: the slot is free, and its pages may hold memory (and old contents).
// - aged: the slot is dirty, and was so at the last tick. It is next in line to be given back.
//
// Invariant: aged slots are dirty, and dirty slots are free.
#include <cstddef>
#include <cstdint>
#include <utility>

#include <mmt/sync/counter.h>

#include "heap/store/region.h"

namespace mmt::store {

class SlotMap {
 public:
  void open(Region* region);

  // The lowest run of `count` free slots that starts at a multiple of `alignment` (a power of two).
  // kNoSlot when there is none.
  Slot find_free(size_t count, size_t alignment);
  // Takes it. *was_clean: the whole run reads as zero.
  Slot take(size_t count, size_t alignment, bool* was_clean);
  // Does the same among dirty slots only.
  Slot take_dirty(size_t count, size_t alignment);
  // Does the same among slots that read as zero.
  Slot take_clean(size_t count, size_t alignment);
  // How many slots from `first` on are free and read as zero, at most `most`.
  size_t clean_run(Slot first, size_t most) const;
  // The slots that read as zero in whole runs of `count`, each from a multiple of it (a power of
  // two) on.
  size_t clean_slots(size_t count) const;
  // Takes exactly these slots if all are free.
  bool take_at(Slot first, size_t count, bool* was_clean);

  void give(Slot first, size_t count, bool dirty);

  // The lowest run of at most `most` dirty (aged only: of aged) slots at or above `from`. Returns
  // its length, 0 when there is none.
  size_t find_dirty(Slot from, size_t most, bool aged_only, Slot* first) const;
  // The highest run of at most `most` dirty slots, in the same way.
  size_t find_highest_dirty(size_t most, Slot* first) const;
  // A tick: all that is dirty now becomes aged.
  void age();
  // The least that dirty_slots() has been since this was asked last.
  size_t take_least_dirty() { return std::exchange(least_dirty_, dirty_slots()); }

  // May be read without the lock.
  size_t free_slots() const { return free_count_.get(); }
  size_t dirty_slots() const { return dirty_count_.get(); }

 private:
  template <class WordAt>
  Slot find(WordAt&& word_at, size_t count, size_t alignment, Slot from, Slot end) const;
  bool remove(Slot first, size_t count);

  Region* region_ = nullptr;
  uint64_t* free_ = nullptr;
  uint64_t* dirty_ = nullptr;
  uint64_t* aged_ = nullptr;
  sync::Counter<> free_count_;  // written under the lock
  sync::Counter<> dirty_count_;
  size_t least_dirty_ = 0;
  Slot lowest_ = 0;  // no free slot lies below
};

}  // namespace mmt::store
