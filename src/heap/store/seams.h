#pragma once
// Where the region is cut into several of the kernel's mappings, of which a process may have 65,530
// by default, for all that it does. Pages that were moved bring their mapping's offset along: it
// never merges with its neighbours again, until the place is renewed.
//
//   displaced  the slot's pages were moved there
//   seam       one mapping may end and another begin at the slot's start
//
// Any thread, without a lock, each for slots that it owns. What two neighbours note at the same
// time may leave a seam that is none, or the reverse, until one of them is noted again.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "heap/store/region.h"

namespace mmt::store {

class Seams {
 public:
  // More are not made, and of those that blocks get by being filled half as many: growth by moving
  // saves more.
  static constexpr size_t kMost = 512;

  void open(const Region* region);

  bool allow_growth() const { return count() + 2 <= kMost; }
  bool allow_filling() const { return count() + 2 <= kMost / 2; }
  bool allow_advice() const { return count() + 2 <= kMost / 4; }
  size_t count() const { return count_.load(std::memory_order_relaxed); }

  // The pages of `from` were moved to this run.
  void note_moved(Slot from, Slot first, size_t slots);
  // A mapping was moved to this run, which it fills.
  void note_moved_mapping(Slot first, size_t slots);
  // The run was mapped anew.
  void note_renewed(Slot first, size_t slots);
  // The run was given other properties than what lies beside it; `continues`: but for what lies
  // before it.
  void note_advised(Slot first, size_t slots, bool continues);

  // How many slots from `first` on are one mapping, at most `most` > 0.
  size_t whole_run(Slot first, size_t most) const;
  // Mapping this run anew makes mappings fewer, or some slots fit for that.
  bool renewal_pays(Slot first, size_t slots) const;

 private:
  void set_seam(size_t slot, bool wanted);
  void clear_within(Slot first, size_t slots);
  bool is_displaced(size_t slot) const;
  bool has_record(size_t slot) const;

  const Region* region_ = nullptr;
  uint64_t* displaced_ = nullptr;
  uint64_t* seams_ = nullptr;
  std::atomic<size_t> count_{0};  // bits in seams_
};

}  // namespace mmt::store
