#pragma once
// Which pages of a span hold no live block: runs of whole pages within runs of free blocks.
#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/sys/pages.h>

#include "native/size_class.h"

namespace mmt::native {

// First bit at or above `from` that is `value` in the `count` bits of `words`; `count` for none.
inline uint32_t find_bit(const uint64_t* words, uint32_t count, uint32_t from, bool value) {
  while (from < count) {
    const uint64_t word = value ? words[from / 64] : ~words[from / 64];
    const uint64_t rest = word >> (from % 64);
    if (rest != 0) {
      const uint32_t found = from + static_cast<uint32_t>(std::countr_zero(rest));
      return found < count ? found : count;
    }
    from = (from / 64 + 1) * 64;
  }
  return count;
}

// Calls visit(offset, bytes) for every run of at least `least` bytes of whole pages of a span of
// class `c` whose blocks are all free in `words`. What lies beyond the last block counts as part of
// it.
template <class Visit>
void for_each_free_run(SizeClass c, const uint64_t* words, size_t least, Visit&& visit) {
  const ClassInfo& info = kClasses[c];
  const size_t span_bytes = size_t{info.span_slots} << kSlotShift;
  uint32_t end = 0;
  for (;;) {
    const uint32_t begin = find_bit(words, info.blocks, end, true);
    if (begin == info.blocks) return;
    end = find_bit(words, info.blocks, begin, false);
    const size_t low = (size_t{begin} * info.size + sys::kPageSize - 1) & ~(sys::kPageSize - 1);
    const size_t top =
        (end == info.blocks ? span_bytes : size_t{end} * info.size) & ~(sys::kPageSize - 1);
    if (top > low && top - low >= least) visit(low, top - low);
  }
}

}  // namespace mmt::native
