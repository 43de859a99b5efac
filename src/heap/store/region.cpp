// Where the region lies, and what describes its slots.
#include "heap/store/region.h"

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/placement.h>
#include <mmt/sys/random.h>

namespace mmt::store {
namespace {

using core::align_up;
using sys::kHugePageSize;
using sys::kPageSize;

// Tables and region may lie at these places. The first place lies at four fifths. Executables and
// their program break begin at two thirds, and an eighth above that at most. The kernel's own
// choices end an eighth below the top. So what lies below executables, the largest hole of the
// address space, stays whole. The next places lie in that hole, above what managed heaps ask for by
// fixed address. The last place is for machines with a small address space. ThreadSanitizer knows
// of few places.
constexpr size_t kTiB = size_t{1} << 40;
struct Candidate {
  uintptr_t at;
  // How far on the tables begin at most, and the region beyond where they may end. Powers of two.
  size_t table_range;
  size_t base_range;
};
// 102.5 TiB, and 9.5 TiB of room: the region may become 4 TiB, the tables need 0.1.
constexpr Candidate kFirst =
    core::kThreadSanitizer
        ? Candidate{uintptr_t{0x7e90} << 32, kHugePageSize, kTiB / 4}
        : Candidate{uintptr_t{0x6680} << (32 + core::kAddressBits - 47), kTiB, 4 * kTiB};
constexpr Candidate kCandidates[] = {kFirst,
                                     {uintptr_t{0x5b} << 40, kTiB, kTiB},
                                     {uintptr_t{0x4e} << 40, kTiB, kTiB},
                                     {uintptr_t{0x3a} << 40, kTiB, kTiB},
                                     {uintptr_t{0x1a} << 40, kTiB, kTiB},
                                     {uintptr_t{0x20} << 32, kHugePageSize, kHugePageSize}};

// By the topmost bits of `random`.
size_t distance(uint64_t random, size_t range) {
  return random / (~uint64_t{0} / range + 1) / kHugePageSize * kHugePageSize;
}

}  // namespace

// A different start each run, unless all addresses are to be the same. What a block's address tells
// is not where the tables are.
bool Region::open(bool huge_pages, Slot first) {
  huge_pages_ = huge_pages;
  first_ = first;
  const bool is_fixed = sys::addresses_are_fixed();
  for (const Candidate& candidate : kCandidates) {
    const uint64_t random = is_fixed ? 0 : sys::random_bits();
    const uintptr_t tables = candidate.at + distance(random << 32, candidate.table_range);
    const uintptr_t base = candidate.at + (candidate.table_range - kHugePageSize) +
                           kSideTableBytes + distance(random, candidate.base_range);
    place(reinterpret_cast<char*>(tables), reinterpret_cast<char*>(base));
    if (extend(first + kSmallPieceSlots)) return true;
    unmap_tables();
  }
  base_ = nullptr;
  first_ = 0;
  return false;
}

void Region::place(char* tables, char* base) {
  tables_.place(tables);
  classes_ = side<uint8_t>(Side::kClasses);
  spans_ = side<Span>(Side::kSpans);
  free_bits_ = side<uint64_t>(Side::kFreeBits);
  returned_bits_ = side<ReturnedWord>(Side::kReturnedBits);
  returned_marks_ = side<ReturnedWord>(Side::kReturnedMarks);
  base_ = base;
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
  for (size_t which = 0; which < kSideCount; ++which) bytes += side_bytes(which, slots);
  return bytes;
}

void Region::keep_tables_resident() {
  keeps_tables_.store(true, std::memory_order_relaxed);
  // Relaxed: the thread that maps something meanwhile populates it.
  const size_t slots = mapped_.load(std::memory_order_relaxed);
  for (size_t which = 0; which < kSideCount && slots != 0; ++which)
    sys::populate(tables_.at(which), side_bytes(which, slots));
}

void Region::forget_states(Slot slot, size_t slots) {
  if constexpr (kObjectStateBytes == 0) return;
  for (const Slot end = slot + static_cast<Slot>(slots); slot != end; ++slot) {
    const uint64_t forgotten = forgotten_states(is_marked(slot));
    auto* const words = reinterpret_cast<uint64_t*>(states() + slot * kObjectStateBytes);
    for (size_t i = 0; i < kObjectStateBytes / sizeof *words; ++i)
      if (words[i] != forgotten) words[i] = forgotten;
  }
}

}  // namespace mmt::store
