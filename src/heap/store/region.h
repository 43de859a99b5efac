#pragma once
// The address space of the native heap is one contiguous region of 64 KiB slots. The tables that
// describe each slot lie beside the region, so that no metadata lies among user blocks.
//
// Nothing is set aside. A range far from where the kernel places mappings is chosen once. Region
// and tables are mapped piece by piece as the frontier moves up. Limits on address space and data
// therefore count what the heap uses, also when they are set while the program runs. Where somebody
// else's mapping is in the way, the heap goes on beyond it.
//
// Slots below the frontier belong to spans, large blocks or the depot's free map; slots above were
// never used. `carve` is lock-free; all else that writes says so.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sync/returned_bits.h>
#include <mmt/sync/take_all_list.h>
#include <mmt/sync/try_lock.h>
#include <mmt/sys/pages.h>

#include "heap/store/budget.h"
#include "heap/store/side_tables.h"
#include "heap/store/size_class.h"
#include "heap/store/span.h"

namespace mmt::store {

using Slot = uint32_t;
using ReturnedWord = sync::ReturnedBits<>::Word;
static_assert(sizeof(ReturnedWord) == sizeof(uint64_t));

inline constexpr Slot kNoSlot = ~Slot{0};
// Codes of the class table beyond the size classes.
inline constexpr uint8_t kLargeHead = kClassCount;      // first slot of a large block
inline constexpr uint8_t kLargeBody = kClassCount + 1;  // its other slots
inline constexpr uint8_t kForeign = kClassCount + 2;    // somebody else's mapping
inline constexpr uint8_t kChanged = kClassCount + 3;    // of a span: see NotedChanges
inline constexpr size_t kClassCodes = kClassCount + 4;

// The first slot of the span of class `c` that `slot` belongs to.
inline Slot span_start(Slot slot, SizeClass c) {
  return slot & ~static_cast<Slot>(kClasses[c].span_slots - 1);
}

// How far fresh slots may reach. Under the depot lock only to the end of what is mapped: to map is
// a system call. Known as it is compiled, so that a call under the lock can be seen to make none.
enum class Reach : uint8_t { kAnywhere, kMapped };

class Region {
 public:
  // Chooses the address range and maps the first piece. False when no memory can be had: nothing is
  // mapped then, and it may be called again. Otherwise it is called once.
  // `huge_pages`: ask for them everywhere. `first`: the slot that it begins with; those below are
  // foreign, and the random number of them adds to what nobody can guess.
  bool open(bool huge_pages, Slot first = 0);
  Slot first() const { return first_; }

  // Base of the region; offsets of user blocks count from here.
  char* base() const { return base_; }
  // First slot at or above `slot` whose address is a multiple of `alignment` slots.
  size_t align_slot(size_t slot, size_t alignment) const {
    const size_t origin = reinterpret_cast<uintptr_t>(base_) >> kSlotShift;
    return ((slot + origin + alignment - 1) & ~(alignment - 1)) - origin;
  }

  // Takes `count` fresh slots at the frontier, the first aligned to `alignment` slots (a power of
  // two). The result is kNoSlot when memory or address space is short, or no such slots lie within
  // `reach`. The call is lock-free, but for the mapping of the next piece. The slots lost to
  // alignment are reported in *skipped_from (first one) and *skipped (how many, 0 without alignment
  // loss). They are the caller's too.
  template <Reach kReach = Reach::kAnywhere>
  Slot carve(size_t count, size_t alignment, Slot* skipped_from, size_t* skipped);

  // Takes `count` fresh slots if the frontier stands exactly at `first`. It works like carve.
  template <Reach kReach = Reach::kAnywhere>
  bool carve_at(Slot first, size_t count);

  // Makes the first `bytes` of the region usable, ahead of the frontier. False: not all are.
  bool map_through(size_t bytes) {
    return extend((bytes + kSlotBytes - 1) >> kSlotShift) && bytes <= mapped_bytes();
  }

  // A fork calls these. From hold to release no thread maps but the caller of both (the child has
  // no other thread). Nothing is half mapped when hold returns.
  void hold_mapping();
  void release_mapping();
  // A fork's child: nobody maps.
  void reset_in_child();

  // The frontier has left runs of usable slots behind, below obstacles. They become the caller's.
  // The result is the first run's slot + 1, or 0 for none. Each run has its length in
  // Span::large_slots and the next run in next_sibling. The call is lock-free.
  Slot take_left_behind() { return left_behind_.take_all(); }

  // All tables are resident now, and again whenever the region has grown. Any thread may call it.
  void keep_tables_resident();

  // The first slot that was never used. Acquire: everything below is mapped and its tables exist.
  Slot frontier() const { return frontier_.load(std::memory_order_acquire); }
  // So many bytes of user address space are mapped.
  size_t mapped_bytes() const { return mapped_.load(std::memory_order_relaxed) << kSlotShift; }
  // All address space that the heap has.
  Budget& budget() { return budget_; }
  const Budget& budget() const { return budget_; }
  // Bytes of tables that describe them.
  size_t metadata_bytes() const;

  bool contains(const void* p) const {
    return (reinterpret_cast<uintptr_t>(p) - reinterpret_cast<uintptr_t>(base_)) >> kSlotShift <
           mapped_.load(std::memory_order_relaxed);
  }
  char* address(Slot slot) const { return base_ + (size_t{slot} << kSlotShift); }
  // `p` lies in the region.
  size_t slot_index(const void* p) const {
    return (reinterpret_cast<uintptr_t>(p) - reinterpret_cast<uintptr_t>(base_)) >> kSlotShift;
  }
  Slot slot_of(const void* p) const { return static_cast<Slot>(slot_index(p)); }

  // Class of the blocks in a slot, or one of the codes. `slot` lies in mapped memory.
  uint8_t class_of(size_t slot) const { return __atomic_load_n(&classes_[slot], __ATOMIC_RELAXED); }
  // The same, with the class that is behind kChanged.
  uint8_t true_class_of(size_t slot) const {
    const uint8_t code = class_of(slot);
    return MMT_UNLIKELY(code == kChanged) ? spans_[slot].changed_class : code;
  }
  // Acquire: pairs with set_class. It is for a thread that looks at the record of a span that
  // another thread may just have carved.
  uint8_t class_of_record(size_t slot) const {
    return __atomic_load_n(&classes_[slot], __ATOMIC_ACQUIRE);
  }
  // Release: the span's record is complete before its class can be seen.
  void set_class(Slot slot, uint8_t value) {
    __atomic_store_n(&classes_[slot], value, __ATOMIC_RELEASE);
  }

  // The same for a whole run that no other thread is given: many at a time.
  void set_classes(size_t first, size_t count, uint8_t value);

  Span& span(Slot slot) const { return spans_[slot]; }
  // Blocks that are free and in the depot; written by the lock's holder only.
  uint64_t* free_bits(Slot slot) const { return free_bits_ + size_t{slot} * kMaxBitmapWords; }
  // Blocks given back by clients whose channel was full, and a bit for each slot whose span has
  // some; see ReturnedBlocks.
  ReturnedWord* returned_bits(Slot slot) const {
    return returned_bits_ + size_t{slot} * kMaxBitmapWords;
  }
  ReturnedWord& returned_marks(Slot slot) const { return returned_marks_[slot / 64]; }
  uint64_t* slot_bitmap(Side which) const { return side<uint64_t>(which); }
  // Where the heap keeps states of objects: that of an address in the region.
  uint8_t* states() const { return side<uint8_t>(Side::kStates); }
  // A slot's mark, where the heap keeps any. Relaxed: a hint, or under the depot's lock.
  bool is_marked(Slot slot) const {
    const uint64_t word =
        __atomic_load_n(side<uint64_t>(Side::kMarks) + slot / 64, __ATOMIC_RELAXED);
    return (word >> slot % 64 & 1) != 0;
  }
  void mark(Slot slot) {
    __atomic_fetch_or(side<uint64_t>(Side::kMarks) + slot / 64, uint64_t{1} << slot % 64,
                      __ATOMIC_RELAXED);
  }
  // The slots become a span's: nothing is known of their objects. Tables that hold nothing are not
  // written.
  void forget_states(Slot slot, size_t slots);

  // What describes the slots that are mapped, of one kind.
  std::span<char> table(Side which) const {
    const auto index = static_cast<size_t>(which);
    // Relaxed: a figure.
    const size_t slots = tables_mapped_[index].load(std::memory_order_relaxed);
    return {tables_.at(which), slots != 0 ? side_bytes(index, slots) : 0};
  }
  // visit(start, bytes) of what describes the slots that are mapped.
  template <class Visit>
  void for_each_table(Visit&& visit) const {
    for (size_t which = 0; which < kSideCount; ++which) {
      // Relaxed: it is a figure.
      const size_t slots = tables_mapped_[which].load(std::memory_order_relaxed);
      if (slots != 0) visit(tables_.at(which), side_bytes(which, slots));
    }
  }

  const uint8_t* class_table() const { return classes_; }

 private:
  template <class T>
  T* side(Side which) const {
    return reinterpret_cast<T*>(tables_.at(which));
  }
  static constexpr size_t kSmallPieceSlots = 32;
  enum class Grown : uint8_t { kYes, kNo, kOvertaken, kNotHere };

  void place(char* tables, char* base);
  template <Reach kReach>
  bool reaches(size_t end);
  bool extend(size_t end);
  Grown extend_generously(size_t end, uint32_t self);
  Grown extend_through(size_t end, uint32_t self);
  Grown extend_here(size_t end, uint32_t self);
  Grown extend_beyond(size_t end, uint32_t self);
  sys::MapResult map_piece(size_t start, size_t end);
  bool commit(size_t from, size_t start, size_t end, uint32_t self);
  void begin_mapping(uint32_t self);
  void end_mapping(uint32_t self);
  bool map_tables(size_t end);
  bool map_table(size_t which, size_t from, size_t to);
  void unmap_tables();
  void skip_to(size_t from, size_t start);

  // Read by every free: on lines that are hardly ever written.
  alignas(core::kNoSharing) char* base_ = nullptr;
  uint8_t* classes_ = nullptr;
  std::atomic<size_t> mapped_{0};  // slots of the region that are usable, tables included
  Span* spans_ = nullptr;
  uint64_t* free_bits_ = nullptr;
  ReturnedWord* returned_bits_ = nullptr;
  ReturnedWord* returned_marks_ = nullptr;
  SideTables tables_;
  Slot first_ = 0;
  bool huge_pages_ = false;
  std::atomic<bool> keeps_tables_{false};  // relaxed: what it misses is faulted in later
  alignas(core::kNoSharing) std::atomic<Slot> frontier_{0};
  sync::TakeAllList<> left_behind_;  // see take_left_behind
  // One thread maps at a time, as a rule: see region_growth.cpp.
  sync::TryLock<> mapping_;
  std::atomic<bool> held_for_fork_{false};
  std::atomic<const void*> holder_{
      nullptr};  // then: the thread, which has another id in the child of a fork
  Budget budget_;
  std::atomic<size_t> tables_mapped_[kSideCount] = {};  // slots each describes
  std::atomic<size_t> tables_tried_[kSideCount] = {};   // bytes that somebody began to map
};

}  // namespace mmt::store
