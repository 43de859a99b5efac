#pragma once
// Blocks as words of their spans' bitmaps: what surplus looks like on its way to the depot.
//
// A word covers 64 blocks of one span. Blocks freed one after the other often lie together, so a
// batch shrinks to a few words; in the worst case there is one for each block.
#include <cstddef>
#include <cstdint>

#include "native/size_class.h"

namespace mmt::offload {

struct MaskWord {
  uint64_t bits;
  uint64_t position;  // slot << 6 | word, of the span's first slot
};

// Encodes `count` blocks, all of class `c`, of the region at `base`. Writes at most `count` words
// and returns how many; two that follow each other differ in position. Any thread.
using EncodeMasks = uint32_t (*)(const char* base, native::SizeClass c, void* const* blocks,
                                 size_t count, MaskWord* out);

uint32_t encode_masks_portably(const char* base, native::SizeClass c, void* const* blocks,
                               size_t count, MaskWord* out);

// The fastest that this CPU offers.
EncodeMasks best_mask_encoder();

}  // namespace mmt::offload
