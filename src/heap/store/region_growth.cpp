// The region grows by fresh slots, which are taken at the frontier. Pieces are mapped behind the
// region's end, with the tables that describe them.
//
// Mapping takes system calls. During these a handler of a forced signal may run in the mapping
// thread, and map itself, or never come back. So a thread's turn may be overtaken. A call in such a
// handler may overtake it, and so may the thread's next call after one that was left by siglongjmp.
// Another thread may overtake it after a second without progress. A thread that is overtaken learns
// it as it commits, and gives back what it has mapped: nobody else has taken that for the heap's.
#include <algorithm>
#include <bit>
#include <utility>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "heap/store/region.h"

namespace mmt::store {
namespace {

using core::align_up;
using sys::kPageSize;
using sys::MapResult;

// A piece is mapped ahead of the frontier whenever the frontier reaches the mapped end. The piece
// is an eighth of what is mapped, since a program that locks its memory makes all of it resident.
constexpr size_t kLargestPieceSlots = 512;  // 32 MiB
constexpr size_t kPieceShare = 8;
constexpr size_t kHugeSlots = sys::kHugePageSize >> kSlotShift;

// How far beyond an obstacle the heap looks for room, doubling from one piece.
constexpr int kSkipAttempts = 12;

// A turn in which nothing has happened for so long is taken for abandoned.
constexpr uint32_t kTurnNaps = 16;
constexpr int64_t kTurnNapNs = 64'000'000;
// This value stands for the turn's holder while it commits, which is short, and ends. It is no
// thread's id.
constexpr uint32_t kCommitter = sync::TryLock<>::kWaiters - 1;

size_t piece_slots(size_t mapped, size_t least) {
  return std::clamp(std::bit_floor(mapped / kPieceShare | 1), least, kLargestPieceSlots);
}

}  // namespace

template <Reach kReach>
MMT_ALWAYS_INLINE bool Region::reaches(size_t end) {
  if constexpr (kReach == Reach::kMapped) return end <= mapped_.load(std::memory_order_acquire);
  return extend(end);
}

template <Reach kReach>
Slot Region::carve(size_t count, size_t alignment, Slot* skipped_from, size_t* skipped) {
  // Relaxed: guesses, which the exchange corrects. What extend maps it acquires itself.
  Slot start = frontier_.load(std::memory_order_relaxed);
  for (;;) {
    const size_t first = align_slot(start, alignment);
    if (!reaches<kReach>(first + count)) {
      // An obstacle may have moved the frontier.
      const Slot now = frontier_.load(std::memory_order_relaxed);
      if (now == start) return kNoSlot;
      start = now;
      continue;
    }
    // Release: whoever reads a frontier beyond these slots may look at their tables.
    if (frontier_.compare_exchange_weak(start, static_cast<Slot>(first + count),
                                        std::memory_order_acq_rel)) {
      *skipped_from = start;
      *skipped = first - start;
      return static_cast<Slot>(first);
    }
  }
}

template <Reach kReach>
bool Region::carve_at(Slot first, size_t count) {
  // Relaxed: a guess, as in carve.
  if (frontier_.load(std::memory_order_relaxed) != first) return false;
  return reaches<kReach>(first + count) &&
         frontier_.compare_exchange_strong(first, static_cast<Slot>(first + count),
                                           std::memory_order_acq_rel);
}

template Slot Region::carve<Reach::kAnywhere>(size_t, size_t, Slot*, size_t*);
template Slot Region::carve<Reach::kMapped>(size_t, size_t, Slot*, size_t*);
template bool Region::carve_at<Reach::kAnywhere>(Slot, size_t);
template bool Region::carve_at<Reach::kMapped>(Slot, size_t);

void Region::hold_mapping() {
  static_cast<void>(mapping_.lock(sys::current_thread_id()));
  holder_.store(__builtin_thread_pointer(), std::memory_order_relaxed);
  held_for_fork_.store(true, std::memory_order_relaxed);
}

void Region::release_mapping() {
  held_for_fork_.store(false, std::memory_order_relaxed);
  mapping_.unlock(sys::current_thread_id());
}

void Region::reset_in_child() {
  held_for_fork_.store(false, std::memory_order_relaxed);
  mapping_.reset_in_child();
}

// The turn becomes the caller's. The caller may have it already: for a fork, or in a handler, or
// after a call that the caller left. The only thread of a fork's child takes the turn, too, where
// handlers of the program's allocate before reset_in_child(). A thread that waits sleeps: hundreds
// of threads that look again and again keep the mapping thread from its work.
void Region::begin_mapping(uint32_t self) {
  // All are relaxed: exchanges decide what matters.
  size_t seen = mapped_.load(std::memory_order_relaxed);
  while (!mapping_.held_by(self)) {
    const bool for_fork = held_for_fork_.load(std::memory_order_relaxed);
    const bool is_forks =
        for_fork && holder_.load(std::memory_order_relaxed) == __builtin_thread_pointer();
    if (!is_forks && mapping_.lock_within(self, kTurnNaps, kTurnNapNs)) return;
    const size_t now = mapped_.load(std::memory_order_relaxed);
    const bool stands_still = is_forks || (!for_fork && now == std::exchange(seen, now));
    const uint32_t owner = mapping_.owner();
    if (stands_still && owner != 0 && owner != kCommitter && mapping_.hand_over(owner, self))
      return;
  }
}

// Also of a turn that has been overtaken: then it is another's.
void Region::end_mapping(uint32_t self) {
  if (held_for_fork_.load(std::memory_order_relaxed)) return;
  static_cast<void>(mapping_.hand_over(self, 0));
}

// Makes slots below `end` usable.
bool Region::extend(size_t end) {
  if (end > kMaxSlots) return false;
  if (end <= mapped_.load(std::memory_order_acquire)) return true;
  const sys::SignalsBlocked blocked;
  const uint32_t self = sys::current_thread_id();
  for (;;) {
    begin_mapping(self);
    const Grown grown = extend_generously(end, self);
    end_mapping(self);
    if (grown == Grown::kOvertaken) continue;
    // Here, where little of the stack is in use.
    if (MMT_UNLIKELY(keeps_tables_.load(std::memory_order_relaxed))) keep_tables_resident();
    return grown == Grown::kYes;
  }
}

// A large piece if that can be had.
Region::Grown Region::extend_generously(size_t end, uint32_t self) {
  // Acquire: another may have been faster.
  const size_t mapped = mapped_.load(std::memory_order_acquire);
  if (end <= mapped) return Grown::kYes;
  Grown grown = extend_through(align_up(end, piece_slots(mapped, kSmallPieceSlots)), self);
  if (grown == Grown::kNo) grown = extend_through(align_up(end, kSmallPieceSlots), self);
  return grown == Grown::kNo ? extend_through(end, self) : grown;
}

Region::Grown Region::extend_through(size_t end, uint32_t self) {
  const Grown grown = extend_here(end, self);
  return MMT_LIKELY(grown != Grown::kNotHere) ? grown : extend_beyond(end, self);
}

MMT_NOINLINE Region::Grown Region::extend_here(size_t end, uint32_t self) {
  const size_t from = mapped_.load(std::memory_order_acquire);
  if (end <= from) return Grown::kYes;
  if (end > kMaxSlots) return Grown::kNo;
  const size_t start = std::max<size_t>(from, first_);
  if (map_piece(start, end) != MapResult::kMapped) return Grown::kNotHere;
  return commit(from, start, end, self) ? Grown::kYes : Grown::kOvertaken;
}

// Somebody else's mapping, or no memory? Tries further up, unless this is the first piece.
MMT_COLD Region::Grown Region::extend_beyond(size_t end, uint32_t self) {
  const size_t from = mapped_.load(std::memory_order_acquire);
  if (end <= from) return Grown::kOvertaken;
  size_t distance = kLargestPieceSlots;
  for (int i = 0; i < kSkipAttempts && from != 0; ++i, distance *= 2) {
    if (mapped_.load(std::memory_order_relaxed) != from) return Grown::kOvertaken;
    const size_t start = align_up(from, kHugeSlots) + distance;
    const size_t stop = start + (end - from);
    if (stop > kMaxSlots) return Grown::kNo;
    const MapResult result = map_piece(start, stop);
    if (result == MapResult::kOccupied) continue;
    if (result == MapResult::kMapped && !commit(from, start, stop, self)) return Grown::kOvertaken;
    return Grown::kNo;  // when mapped, the frontier has moved: the caller looks again
  }
  return Grown::kNo;
}

// Maps [start, end) and what describes it. The slots come first: when they cannot be had, nothing
// was spent on their tables.
MapResult Region::map_piece(size_t start, size_t end) {
  const size_t bytes = (end - start) << kSlotShift;
  char* const at = address(static_cast<Slot>(start));
  const MapResult result = budget_.map_at(at, bytes);
  if (result != MapResult::kMapped) return result;
  if (!map_tables(end)) {
    budget_.unmap(at, bytes);
    return MapResult::kNoMemory;
  }
  if (huge_pages_ && !sys::is_quiet()) sys::prefer_huge_pages(at, bytes);
  return result;
}

// The piece [start, end), which the caller has mapped, becomes the region's; slots below it that
// are not mapped become foreign. False: another was faster. No handler interrupts it.
bool Region::commit(size_t from, size_t start, size_t end, uint32_t self) {
  const uint64_t signals = sys::block_all_signals();
  const bool has_turn = mapping_.hand_over(self, kCommitter);
  const bool done = has_turn && mapped_.load(std::memory_order_relaxed) == from;
  if (done) {
    if (start != from) skip_to(from, start);
    // Release: pairs with the acquire in extend and the callers' in carve.
    mapped_.store(end, std::memory_order_release);
  }
  if (has_turn) static_cast<void>(mapping_.hand_over(kCommitter, self));
  sys::restore_signals(signals);
  if (!done) budget_.unmap(address(static_cast<Slot>(start)), (end - start) << kSlotShift);
  return done;
}

// Maps what the tables need to describe slots below `end`. They advance one by one: one that fails
// leaves those before it ahead, and is tried again later.
bool Region::map_tables(size_t end) {
  for (size_t which = 0; which < kSideCount; ++which) {
    // All are relaxed: these are the turn's, and a thread that is overtaken raises them no further
    // than what is mapped.
    std::atomic<size_t>& mapped = tables_mapped_[which];
    size_t seen = mapped.load(std::memory_order_relaxed);
    if (end <= seen) continue;
    if (!map_table(which, side_bytes(which, seen), side_bytes(which, end))) return false;
    while (seen < end && !mapped.compare_exchange_weak(seen, end, std::memory_order_relaxed)) {
    }
  }
  return true;
}

// Bytes [from, to) of a table. What lies below the end of an attempt that was not recorded is the
// region's own.
bool Region::map_table(size_t which, size_t from, size_t to) {
  std::atomic<size_t>& tried = tables_tried_[which];
  const size_t own_end = tried.load(std::memory_order_relaxed);
  size_t step = to - from;
  if (own_end > from) step = kPageSize;
  if (own_end < to) tried.store(to, std::memory_order_relaxed);
  for (; from != to; from += step) {
    const MapResult result = budget_.map_at(tables_.at(which) + from, step);
    if (result == MapResult::kMapped || (result == MapResult::kOccupied && from < own_end))
      continue;
    tried.store(own_end, std::memory_order_relaxed);
    return false;
  }
  return true;
}

void Region::unmap_tables() {
  for (size_t which = 0; which < kSideCount; ++which) {
    const size_t bytes = side_bytes(which, tables_mapped_[which].load(std::memory_order_relaxed));
    if (bytes != 0) budget_.unmap(tables_.at(which), bytes);
    tables_mapped_[which].store(0, std::memory_order_relaxed);
    tables_tried_[which].store(0, std::memory_order_relaxed);
  }
}

// Slots [from, start) are not the heap's: the frontier must not pass through them.
void Region::skip_to(size_t from, size_t start) {
  set_classes(from, start - from, kForeign);
  // Relaxed: a guess, which the exchange corrects.
  Slot frontier = frontier_.load(std::memory_order_relaxed);
  while (frontier < start && !frontier_.compare_exchange_weak(frontier, static_cast<Slot>(start),
                                                              std::memory_order_acq_rel)) {
  }
  if (frontier >= from) return;
  spans_[frontier].large_slots = static_cast<uint32_t>(from - frontier);
  left_behind_.add(frontier + 1, [&](uint32_t link) { spans_[frontier].next_sibling = link; });
}

}  // namespace mmt::store
