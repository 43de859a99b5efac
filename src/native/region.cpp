#include "native/region.h"

#include <algorithm>
#include <bit>

#include <mmt/core/checked.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/placement.h>
#include <mmt/sys/thread.h>

namespace mmt::native {
namespace {

using core::align_up;
using sys::kHugePageSize;
using sys::kPageSize;

// A piece is mapped ahead of the frontier whenever that reaches the mapped end: an eighth of what
// is mapped, since a program that locks its memory makes all of it resident.
constexpr size_t kLargestPieceSlots = 512;  // 32 MiB
constexpr size_t kSmallPieceSlots = 32;
constexpr size_t kPieceShare = 8;
constexpr size_t kHugeSlots = kHugePageSize >> kSlotShift;

// The tables lie below the region, in this order.
constexpr size_t kClassTableBytes = kMaxSlots;
constexpr size_t kSpanTableBytes = kMaxSlots * sizeof(Span);
constexpr size_t kBlockBitsBytes = kMaxSlots * kMaxBitmapWords * 8;
constexpr size_t kSlotBitsBytes = kMaxSlots / 8 * kSlotBitmapCount;
constexpr size_t kTableBytes = align_up(
    kClassTableBytes + kSpanTableBytes + 2 * kBlockBitsBytes + kSlotBitsBytes, kHugePageSize);

// Where the region may lie. First at four fifths: executables and their program break begin at two
// thirds and an eighth above at most, the kernel's own choices end an eighth below the top. So what
// lies below executables, the largest hole of the address space, stays whole. Then in that hole,
// above what managed heaps ask for by fixed address; the last for machines with a small address
// space. ThreadSanitizer knows of few places.
constexpr uintptr_t kFirst = core::kThreadSanitizer
                                 ? uintptr_t{0x7e90} << 32
                                 : uintptr_t{0x6680} << (32 + core::kAddressBits - 47);
constexpr uintptr_t kCandidates[] = {kFirst,
                                     uintptr_t{0x5b} << 40,
                                     uintptr_t{0x4e} << 40,
                                     uintptr_t{0x3a} << 40,
                                     uintptr_t{0x1a} << 40,
                                     uintptr_t{0x20} << 32};

// A different start each run, as other heaps have, unless all addresses are to be the same: up to
// 1 TiB on.
uintptr_t random_distance() {
  return sys::addresses_are_fixed() ? 0 : (sys::monotonic_ns() * 0x9e3779b97f4a7c15u >> 45) << 21;
}

size_t table_bytes(size_t slots, size_t bits_per_slot) {
  return align_up(slots * bits_per_slot / 8, kPageSize);
}

size_t piece_slots(size_t mapped) {
  return std::clamp(std::bit_floor(mapped / kPieceShare | 1), kSmallPieceSlots, kLargestPieceSlots);
}

// How far beyond an obstacle the heap looks for room, doubling from one piece.
constexpr int kSkipAttempts = 12;

}  // namespace

bool Region::open(bool huge_pages) {
  huge_pages_ = huge_pages;
  for (const uintptr_t candidate : kCandidates) {
    const uintptr_t distance = candidate >> 40 == 0 ? 0 : random_distance();
    place(reinterpret_cast<char*>(candidate + distance));
    if (extend(kSmallPieceSlots, Taker::kAnyThread)) return true;
    unmap_tables();
  }
  base_ = nullptr;
  return false;
}

void Region::place(char* at) {
  classes_ = reinterpret_cast<uint8_t*>(at);
  spans_ = reinterpret_cast<Span*>(at + kClassTableBytes);
  free_bits_ = reinterpret_cast<uint64_t*>(at + kClassTableBytes + kSpanTableBytes);
  returned_bits_ = reinterpret_cast<ReturnedWord*>(free_bits_ + kBlockBitsBytes / 8);
  slot_bitmaps_ = free_bits_ + 2 * (kBlockBitsBytes / 8);
  returned_marks_ = reinterpret_cast<ReturnedWord*>(slot_bitmap(kReturnedMarks));
  base_ = at + kTableBytes;
}

Region::Table Region::table(size_t which) const {
  switch (which) {
    case 0:
      return {classes_, 8};
    case 1:
      return {spans_, 8 * sizeof(Span)};
    case 2:
      return {free_bits_, 64 * kMaxBitmapWords};
    case 3:
      return {returned_bits_, 64 * kMaxBitmapWords};
    default:
      return {slot_bitmap(which - 4), 1};
  }
}

void Region::set_classes(size_t first, size_t count, uint8_t value) {
  using Word [[gnu::may_alias]] = uint64_t;
  uint8_t* at = classes_ + first;
  uint8_t* const end = at + count;
  // Release, as in set_class.
  for (; at != end && reinterpret_cast<uintptr_t>(at) % sizeof(Word) != 0; ++at)
    __atomic_store_n(at, value, __ATOMIC_RELEASE);
  const Word values = value * (~uint64_t{0} / 0xff);
  for (; at + sizeof(Word) <= end; at += sizeof(Word))
    __atomic_store_n(reinterpret_cast<Word*>(at), values, __ATOMIC_RELEASE);
  for (; at != end; ++at) __atomic_store_n(at, value, __ATOMIC_RELEASE);
}

size_t Region::metadata_bytes() const {
  // Relaxed: a figure.
  const size_t slots = mapped_.load(std::memory_order_relaxed);
  size_t bytes = 0;
  for (size_t which = 0; which < kTableCount; ++which)
    bytes += table_bytes(slots, table(which).bits_per_slot);
  return bytes;
}

void Region::hold_mapping_locked() {
  static_cast<void>(mapping_.lock(sys::current_thread_id()));
  held_for_fork_ = true;
}

void Region::release_mapping_locked() {
  held_for_fork_ = false;
  mapping_.unlock(sys::current_thread_id());
}

void Region::reset_in_child() {
  held_for_fork_ = false;
  mapping_.reset_in_child();
}

// Makes slots below `end` usable.
bool Region::extend(size_t end, Taker taker) {
  if (end > kMaxSlots) return false;
  if (end <= mapped_.load(std::memory_order_acquire)) return true;
  const sys::SignalsBlocked blocked;
  if (taker == Taker::kLockHolder && held_for_fork_) return extend_generously(end);
  // Who waits sleeps: hundreds of threads that look again and again keep who maps from its work.
  const uint32_t self = sys::current_thread_id();
  static_cast<void>(mapping_.lock(self));
  // Relaxed: changed by who is mapping only.
  const bool done = end <= mapped_.load(std::memory_order_relaxed) || extend_generously(end);
  mapping_.unlock(self);
  return done;
}

// By who is mapping: a large piece if that can be had.
bool Region::extend_generously(size_t end) {
  // Relaxed: changed by who is mapping only.
  const size_t piece = piece_slots(mapped_.load(std::memory_order_relaxed));
  return extend_alone(align_up(end, piece)) || extend_alone(align_up(end, kSmallPieceSlots)) ||
         extend_alone(end);
}

bool Region::extend_alone(size_t end) {
  // Relaxed: changed by who is mapping only.
  const size_t from = mapped_.load(std::memory_order_relaxed);
  if (end <= from) return true;
  if (end > kMaxSlots) return false;
  if (map_piece(from, end) == sys::MapResult::kMapped) return true;
  // Somebody else's mapping, or no memory? Try further up, unless this is the first piece.
  size_t distance = kLargestPieceSlots;
  for (int i = 0; i < kSkipAttempts && from != 0; ++i, distance *= 2) {
    const size_t start = align_up(from, kHugeSlots) + distance;
    const size_t stop = start + (end - from);
    if (stop > kMaxSlots) return false;
    const sys::MapResult result = map_piece(start, stop);
    if (result == sys::MapResult::kOccupied) continue;
    return false;  // when mapped, the frontier has moved: the caller looks again
  }
  return false;
}

// Maps [start, end) and what describes it; slots below that are not mapped yet become foreign.
// The slots come first: when they cannot be had, nothing was spent on their tables.
sys::MapResult Region::map_piece(size_t start, size_t end) {
  const size_t bytes = (end - start) << kSlotShift;
  char* const at = address(static_cast<Slot>(start));
  const sys::MapResult result = sys::map_at(at, bytes);
  if (result != sys::MapResult::kMapped) return result;
  if (!map_tables(end)) {
    sys::unmap(at, bytes);
    return sys::MapResult::kNoMemory;
  }
  if (huge_pages_ && !sys::is_quiet()) sys::prefer_huge_pages(at, bytes);
  const size_t from = mapped_.load(std::memory_order_relaxed);  // as in extend_alone
  if (start != from) skip_to(from, start);
  // Release: pairs with the acquire in extend and the callers' in carve.
  mapped_.store(end, std::memory_order_release);
  return result;
}

bool Region::map_tables(size_t end) {
  for (size_t which = 0; which < kTableCount; ++which)
    if (!map_table(which, end)) return false;
  return true;
}

// Maps what a table needs to describe slots below `end`. Tables advance one by one: one that fails
// leaves those before it ahead, and is tried again later.
bool Region::map_table(size_t which, size_t end) {
  size_t& mapped = tables_mapped_[which];
  if (end <= mapped) return true;
  const Table table = this->table(which);
  const size_t begin = table_bytes(mapped, table.bits_per_slot);
  const size_t finish = table_bytes(end, table.bits_per_slot);
  if (begin != finish &&
      sys::map_at(static_cast<char*>(table.at) + begin, finish - begin) != sys::MapResult::kMapped)
    return false;
  mapped = end;
  return true;
}

void Region::unmap_tables() {
  for (size_t which = 0; which < kTableCount; ++which) {
    const Table table = this->table(which);
    const size_t bytes = table_bytes(tables_mapped_[which], table.bits_per_slot);
    if (bytes != 0) sys::unmap(table.at, bytes);
    tables_mapped_[which] = 0;
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
  left_behind_.add(frontier, [&](uint32_t link) { spans_[frontier].next_sibling = link; });
}

Slot Region::carve(size_t count, size_t alignment, Slot* skipped_from, size_t* skipped,
                   Taker taker) {
  // Relaxed: guesses, which the exchange corrects. What extend maps it acquires itself.
  Slot start = frontier_.load(std::memory_order_relaxed);
  for (;;) {
    const size_t first = align_slot(start, alignment);
    if (!extend(first + count, taker)) {
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

bool Region::carve_at(Slot first, size_t count, Taker taker) {
  // Relaxed: a guess, as in carve.
  if (frontier_.load(std::memory_order_relaxed) != first) return false;
  return extend(first + count, taker) &&
         frontier_.compare_exchange_strong(first, static_cast<Slot>(first + count),
                                           std::memory_order_acq_rel);
}

}  // namespace mmt::native
