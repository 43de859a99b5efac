#pragma once
// A SpanQueue holds the spans of one class with free blocks, lowest address first. It is a pairing
// heap (Fredman, Sedgewick, Sleator, Tarjan 1986) whose links lie in the spans' records, so that it
// never allocates. Insert is O(1); taking the lowest span and removing any are O(log n) amortised.
// All calls want the depot lock.
#include <cstdint>

#include "heap/store/region.h"

namespace mmt::store {

class SpanQueue {
 public:
  bool empty() const { return root_ == kNone; }
  Slot lowest() const { return root_ - 1; }

  void insert(Region& region, Slot slot);
  Slot take_lowest(Region& region);
  void remove(Region& region, Slot slot);

 private:
  // Links hold slot + 1, so that zeroed records and an all-zero queue are valid.
  using Link = uint32_t;
  static constexpr Link kNone = 0;

  static Span& at(Region& region, Link link) { return region.span(link - 1); }
  static Link meld(Region& region, Link a, Link b);
  static Link merge_siblings(Region& region, Link first);

  Link root_ = kNone;
};

}  // namespace mmt::store
