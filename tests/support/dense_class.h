// Makes a size class one that the program is known to use densely, by using some spans of it so.
#pragma once

#include <cstring>

#include "offload/runtime.h"
#include "support/fresh_heap.h"

namespace mmt::test {

inline void use_spans(FreshHeap& heap, offload::SizeClass c, int count, bool touched) {
  for (int i = 0; i < count; ++i) {
    const auto blocks = heap.take_span(c);
    if (touched)
      for (char* block : blocks) memset(block, 1, native::kClasses[c].size);
    offload::runtime.samples.add_span(heap.depot(), c, heap.depot().region().slot_of(blocks[0]),
                                      false);
  }
}

inline void make_dense(FreshHeap& heap, offload::SizeClass c) { use_spans(heap, c, 4, true); }

}  // namespace mmt::test
