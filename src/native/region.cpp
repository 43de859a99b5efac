#include "native/region.h"

#include <mmt/core/checked.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

namespace mmt::native {
namespace {

using core::align_down;
using core::align_up;
using sys::kHugePageSize;
using sys::kPageSize;

// A piece is mapped ahead of the frontier whenever that reaches the mapped end.
constexpr Slot kPieceSlots = 512;  // 32 MiB
constexpr Slot kSmallPieceSlots = 32;

// The tables lie below the region, in this order.
constexpr size_t kClassTableBytes = kMaxSlots;
constexpr size_t kSpanTableBytes = kMaxSlots * sizeof(Span);
constexpr size_t kBlockBitsBytes = kMaxSlots * kMaxBitmapWords * 8;
constexpr size_t kSlotBitsBytes = kMaxSlots / 8 * kSlotBitmapCount;
constexpr size_t kTableBytes =
    align_up(kClassTableBytes + kSpanTableBytes + 2 * kBlockBitsBytes + kSlotBitsBytes,
             kHugePageSize);

// Where the region may lie without a reservation: far below the kernel's own choices, above what
// managed heaps ask for by fixed address.
constexpr uintptr_t kFirstCandidate = uintptr_t{0x2a} << 40;
constexpr uintptr_t kCandidateStep = uintptr_t{0x08} << 40;
constexpr uintptr_t kCandidates = 6;

}  // namespace

bool Region::open(bool huge_pages) {
  huge_pages_ = huge_pages;
  if (void* at = sys::reserve(kTableBytes + (kMaxSlots << kSlotShift))) {
    reserved_ = true;
    place(static_cast<char*>(at));
    return extend(kPieceSlots) || extend(kSmallPieceSlots);
  }
  const uintptr_t jitter = (sys::monotonic_ns() * 0x9e3779b97f4a7c15u >> 44) << 21;  // below 2 TiB
  for (uintptr_t i = 0; i < kCandidates; ++i) {
    place(reinterpret_cast<char*>(kFirstCandidate + i * kCandidateStep + jitter));
    if (extend(kPieceSlots) || extend(kSmallPieceSlots)) return true;
  }
  base_ = nullptr;
  return false;
}

void Region::place(char* at) {
  classes_ = reinterpret_cast<uint8_t*>(at);
  spans_ = reinterpret_cast<Span*>(at + kClassTableBytes);
  free_bits_ = reinterpret_cast<uint64_t*>(at + kClassTableBytes + kSpanTableBytes);
  returned_bits_ = free_bits_ + kBlockBitsBytes / 8;
  slot_bitmaps_ = returned_bits_ + kBlockBitsBytes / 8;
  base_ = at + kTableBytes;
}

// A part of the tables may have been mapped by an attempt that failed later on; the region itself is
// mapped last, so that finding it occupied means somebody else's mapping.
bool Region::make_usable(void* at, size_t bytes) {
  if (reserved_) return sys::commit(at, bytes);
  const sys::MapResult result = sys::map_at(at, bytes);
  return result == sys::MapResult::kMapped ||
         (result == sys::MapResult::kOccupied && static_cast<char*>(at) < base_ && mapped_ != 0);
}

// Makes slots below `end` usable. With a reservation several threads may do so at once: each step
// can be repeated without harm.
bool Region::extend(Slot end) {
  if (end > kMaxSlots) return false;
  if (end <= mapped_.load(std::memory_order_acquire)) return true;
  return reserved_ ? extend_pieces(end) : extend_unreserved(end);
}

bool Region::extend_unreserved(Slot end) {
  const uint64_t signals = sys::block_signals();
  while (mapping_.exchange(true, std::memory_order_acquire)) sys::yield();
  const bool done = end <= mapped_.load(std::memory_order_acquire) || extend_pieces(end);
  mapping_.store(false, std::memory_order_release);
  sys::restore_signals(signals);
  return done;
}

bool Region::extend_pieces(Slot end) {
  const size_t from = mapped_.load(std::memory_order_acquire);
  if (end <= from) return true;
  // Pages of a table that describe slots below `from` as well are usable already.
  const auto extend_table = [&](void* table, size_t bits_per_slot) {
    const size_t begin = align_up(from * bits_per_slot / 8, kPageSize);
    const size_t finish = align_up(end * bits_per_slot / 8, kPageSize);
    return begin == finish || make_usable(static_cast<char*>(table) + begin, finish - begin);
  };
  if (!extend_table(classes_, 8) || !extend_table(spans_, 8 * sizeof(Span)) ||
      !extend_table(free_bits_, 64 * kMaxBitmapWords) ||
      !extend_table(returned_bits_, 64 * kMaxBitmapWords))
    return false;
  for (size_t i = 0; i < kSlotBitmapCount; ++i)
    if (!extend_table(slot_bitmap(i), 1)) return false;
  const size_t begin = from << kSlotShift;
  const size_t bytes = (end - from) << kSlotShift;
  if (!make_usable(base_ + begin, bytes)) return false;
  if (huge_pages_) sys::prefer_huge_pages(base_ + begin, bytes);
  size_t known = from;
  while (known < end && !mapped_.compare_exchange_weak(known, end, std::memory_order_acq_rel)) {
  }
  return true;
}

bool Region::extend_generously(size_t end) {
  if (end > kMaxSlots) return false;
  if (end <= mapped_.load(std::memory_order_acquire)) return true;
  return extend(static_cast<Slot>(align_up(end, kPieceSlots))) ||
         extend(static_cast<Slot>(align_up(end, kSmallPieceSlots))) ||
         extend(static_cast<Slot>(end));
}

Slot Region::carve(size_t count, size_t alignment, Slot* skipped_from, size_t* skipped) {
  Slot start = frontier_.load(std::memory_order_relaxed);
  for (;;) {
    const size_t first = align_up(start, alignment);
    if (!extend_generously(first + count)) return kNoSlot;
    // Release: whoever reads a frontier beyond these slots may look at their tables.
    if (frontier_.compare_exchange_weak(start, static_cast<Slot>(first + count),
                                        std::memory_order_acq_rel)) {
      *skipped_from = start;
      *skipped = first - start;
      return static_cast<Slot>(first);
    }
  }
}

bool Region::carve_at(Slot first, size_t count) {
  if (frontier_.load(std::memory_order_relaxed) != first) return false;
  return extend_generously(first + count) &&
         frontier_.compare_exchange_strong(first, static_cast<Slot>(first + count),
                                           std::memory_order_acq_rel);
}

}  // namespace mmt::native
