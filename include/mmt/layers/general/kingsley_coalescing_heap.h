// This is the Kingsley allocator with splitting and coalescing (the paper's section 8). Requests
// are powers of two, header included, as KingsleyHeap's are, and so are the bins. But a block that
// a bin lacks is cut off a larger one, and a freed block merges with its neighbours at once.
#pragma once

#include <mmt/layers/combine/round_up_heap.h>
#include <mmt/layers/combine/seg_heap.h>
#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/coalesce_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/header/coalesceable_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/system_heap.h>

namespace mmt::layers {

using KingsleyCoalescing = Stack<Coalesceable<4096>, Seg<PowersOfTwo<43>, Adapt<DlList>>, Coalesce,
                                 RoundUp<PowersOfTwo<43>>>;

template <class Source = SystemHeap>
using KingsleyCoalescingHeap = Pipe<Source, KingsleyCoalescing>;

}  // namespace mmt::layers
