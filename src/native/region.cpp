#include "native/region.h"

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/placement.h>
#include <mmt/sys/random.h>

namespace mmt::native {
namespace {

using core::align_up;
using sys::kHugePageSize;
using sys::kPageSize;

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
  return sys::addresses_are_fixed() ? 0 : sys::random_bits() >> 45 << 21;
}

}  // namespace

bool Region::open(bool huge_pages) {
  huge_pages_ = huge_pages;
  for (const uintptr_t candidate : kCandidates) {
    const uintptr_t distance = candidate >> 40 == 0 ? 0 : random_distance();
    place(reinterpret_cast<char*>(candidate + distance));
    if (extend(kSmallPieceSlots)) return true;
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
  for (size_t which = 0; which < kTableCount; ++which) bytes += table(which).bytes(slots);
  return bytes;
}

void Region::keep_tables_resident() {
  keeps_tables_.store(true, std::memory_order_relaxed);
  // Relaxed: what is mapped meanwhile is populated by who maps it.
  const size_t slots = mapped_.load(std::memory_order_relaxed);
  for (size_t which = 0; which < kTableCount && slots != 0; ++which) {
    const Table table = this->table(which);
    sys::populate(table.at, table.bytes(slots));
  }
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

}  // namespace mmt::native
