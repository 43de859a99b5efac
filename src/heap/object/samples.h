#pragma once
// Samples tell which kinds of blocks are used densely: only those are made resident ahead of use. A
// kind is a size class, the large blocks of one order of magnitude, or growth by realloc of one.
//
// Samples are pages of fresh memory that nobody has populated. Any page of a span or block that was
// not prepared at all will do. Else a sample is a page that is left out of what is prepared, one in
// eight slots. Samples wait until more of the kind has come, and are looked at once. A page that
// lies in a huge page, or is no longer of the kind, is not looked at. Locked memory says nothing.
//
// Any thread may call these without a lock. The numbers are relaxed, since nothing else is found by
// them. Two threads at the same kind may lose a look. The thread that adds a sample makes the
// system call, on slow paths alone.
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "heap/object/touched_share.h"
#include "heap/store/depot.h"

namespace mmt::heap {

using Kind = uint32_t;
inline constexpr Kind kLargeKinds = 6;
inline constexpr Kind kKindCount = store::kClassCount + 2 * kLargeKinds;

constexpr Kind kind_of_class(store::SizeClass c) { return c; }
// Kinds are apart by factors of four.
constexpr Kind kind_of_large(size_t bytes) {
  const auto order = static_cast<Kind>(std::bit_width(bytes / (2 * store::kMaxClassSize)) + 1) / 2;
  return store::kClassCount + (order < kLargeKinds ? order : kLargeKinds - 1);
}
constexpr Kind kind_of_growth(size_t bytes) { return kind_of_large(bytes) + kLargeKinds; }

inline constexpr uint32_t kPagesASlot = store::kSlotBytes / sys::kPageSize;
// The page of a slot that is left out when it is made resident; kPagesASlot: none.
constexpr uint32_t left_out_page(store::Slot slot) {
  const uint32_t mixed = slot * 2654435769u;
  return mixed >> 29 == 0 ? mixed >> 25 & (kPagesASlot - 1) : kPagesASlot;
}

class Samples {
 public:
  bool is_dense(Kind kind) const { return share(kind).is_dense(); }
  // Whether to go without what is done for a dense kind, now and then, so that it can be seen.
  bool is_due(Kind kind);

  // Adds a span of class `c`, all of whose blocks have been handed out. The class is not kUnknown.
  void add_span(store::Depot& depot, store::SizeClass c, store::Slot slot, bool prepared);
  // A part of a large block that was given to the program just now, and held no memory but for what
  // was prepared.
  void add_part(store::Depot& depot, Kind kind, const char* start, size_t bytes);
  // A large block that is about to be freed: it is as much used now as it will be.
  void look_at_freed(Kind kind, const char* block, size_t bytes);
  // A large block that is about to grow, of whose memory nothing was made resident for it.
  void look_at_grown(const char* block, size_t bytes, Kind kind);

  // What lies there may be in huge pages, and is no sample from now on.
  void note_huge(const char* start, size_t bytes);
  // While all memory is locked, it is resident whoever touches it: nothing is learnt.
  void pause(bool paused) { is_paused_.store(paused, std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kPending = 8;
  struct State {
    std::atomic<uint32_t> share;
    std::atomic<uint32_t> turn;
    std::atomic<uintptr_t> pending[kPending];  // pages; + 1: the whole slot there
  };

  TouchedShare share(Kind kind) const {
    return TouchedShare::unpack(states_[kind].share.load(std::memory_order_relaxed));
  }
  uint32_t next_turn(Kind kind) {
    return states_[kind].turn.fetch_add(1, std::memory_order_relaxed);
  }
  static size_t huge_place(uintptr_t address) { return address / sys::kHugePageSize % kHugePlaces; }
  bool is_sample(uintptr_t address) const {
    const size_t place = huge_place(address);
    return (huge_[place / 64].load(std::memory_order_relaxed) >> (place % 64) & 1) == 0;
  }
  uintptr_t sample_from(store::Depot& depot, store::Slot first, store::Slot end,
                        uint32_t any) const;
  void add(store::Depot& depot, Kind kind, uintptr_t sample);
  void look(Kind kind, uintptr_t sample);

  bool may_learn() const;

  State states_[kKindCount];
  std::atomic<bool> is_paused_;
  // A bit for each place of a huge page, modulo 128 GiB: one that is set in vain costs samples.
  static constexpr size_t kHugePlaces = size_t{1} << 16;
  std::atomic<uint64_t> huge_[kHugePlaces / 64];
};

// Makes memory of the region resident but for the pages that are left out. It returns false if the
// system refuses.
bool populate_all_but_samples(store::Region& region, size_t from, size_t bytes);

}  // namespace mmt::heap
