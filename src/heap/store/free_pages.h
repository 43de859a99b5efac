#pragma once
// Which pages of a span hold no live block: runs of whole pages within runs of free blocks.
#include <cstddef>
#include <cstdint>

#include <mmt/sys/pages.h>

#include "heap/store/bit_search.h"
#include "heap/store/size_class.h"

namespace mmt::store {

// Calls visit(offset, bytes) for every run of at least `least` bytes of whole pages in a span of
// class `c`. The blocks of such a run are all free in `words`. The space beyond the last block
// counts as part of that block.
template <class Visit>
void for_each_free_run(SizeClass c, const uint64_t* words, size_t least, Visit&& visit) {
  const ClassInfo& info = kClasses[c];
  const size_t span_bytes = size_t{info.span_slots} << kSlotShift;
  uint32_t end = 0;
  for (;;) {
    const uint32_t begin = next_bit(words, end, info.blocks, true);
    if (begin == info.blocks) return;
    end = next_bit(words, begin, info.blocks, false);
    const size_t low = (size_t{begin} * info.size + sys::kPageSize - 1) & ~(sys::kPageSize - 1);
    const size_t top =
        (end == info.blocks ? span_bytes : size_t{end} * info.size) & ~(sys::kPageSize - 1);
    if (top > low && top - low >= least) visit(low, top - low);
  }
}

}  // namespace mmt::store
