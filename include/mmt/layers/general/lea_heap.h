// This is Doug Lea's allocator (dlmalloc), version 2.7.0 of 2001, composed of layers (the paper's
// Figure 7). Blocks have boundary tags, and are split and merged. Free blocks lie in bins, by size,
// after one look at what was freed last. The smallest blocks are not merged before a large request
// comes. The largest blocks, from kMmapThreshold bytes on, are mappings of their own. Sizes are
// those of Lea's code scaled to words of 8 bytes, as glibc scales them.
#pragma once

#include <mmt/layers/combine/seg_heap.h>
#include <mmt/layers/combine/select_mmap_heap.h>
#include <mmt/layers/combine/tagged_sizes.h>
#include <mmt/layers/combine/threshold_heap.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/coalesce_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/fit/unsorted_heap.h>
#include <mmt/layers/header/coalesceable_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/source/system_heap.h>

namespace mmt::layers {

using LeaFastSizes = TaggedSizes<7>;    // 24 to 120 bytes
using LeaSmallSizes = TaggedSizes<62>;  // to 1000 bytes
inline constexpr size_t kLeaLarge = LeaSmallSizes::kLargest + 1;

template <size_t kMmapThreshold = size_t{128} << 10, class LargeHeap = MmapHeap,
          size_t kMostMmapThreshold = kMmapThreshold>
using Lea = Stack<Coalesceable<>,                                  // boundary tags, and the top
                  Seg<LeaLargeSizes<kLeaLarge>, Adapt<SizeList>>,  // bins in order of size
                  Seg<LeaSmallSizes, Adapt<DlList>>,               // bins of one size
                  Unsorted,                                        // what was freed last
                  Coalesce,                                        // splits and merges
                  Threshold<kLeaLarge, LeaFastSizes, Freelist>,    // fast bins
                  SelectMmap<kMmapThreshold, LargeHeap, kMostMmapThreshold>>;

template <class Source = SystemHeap>
using LeaHeap = Pipe<Source, Lea<>>;

}  // namespace mmt::layers
