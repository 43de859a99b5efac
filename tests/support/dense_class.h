// Makes a size class one that the program is known to use densely, by using some spans of it so.
#pragma once

#include <cstring>
#include <stdexcept>

#include "heap/gates/arrive.h"
#include "heap/object/heap.h"
#include "support/fresh_heap.h"

namespace mmt::test {

// The start of a fresh span.
inline char* take_fresh(FreshHeap& heap, heap::SizeClass c) {
  uint64_t words[store::kMaxBitmapWords] = {};
  const store::Slot slot = heap::take_fresh_span(heap, c, words).slot;
  if (slot == store::kNoSlot) throw std::runtime_error("no memory for a span");
  return heap.depot.region().address(slot);
}

// So many bytes at the frontier, as if in spans or blocks of this code.
inline void grow(FreshHeap& heap, size_t bytes, uint8_t code) {
  store::Slot from;
  size_t skipped;
  const size_t slots = bytes >> store::kSlotShift;
  from = heap.depot.region().carve(slots, 1, &from, &skipped);
  if (from == store::kNoSlot) throw std::runtime_error("no memory to grow by");
  heap.depot.region().set_classes(from, slots, code);
}

inline void use_spans(FreshHeap& heap, heap::SizeClass c, int count, bool touched) {
  for (int i = 0; i < count; ++i) {
    char* const span = take_fresh(heap, c);
    if (touched) memset(span, 1, store::kClasses[c].span_slots * store::kSlotBytes);
    heap.samples.add_span(heap.depot, c, heap.depot.region().slot_of(span), false);
  }
}

inline void make_dense(FreshHeap& heap, heap::SizeClass c) { use_spans(heap, c, 4, true); }

}  // namespace mmt::test
