// UnsortedHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/combine/seg_heap.h>
#include <mmt/layers/combine/tagged_sizes.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/coalesce_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/fit/unsorted_heap.h>
#include <mmt/layers/header/coalesceable_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error UnsortedHeap: its super-heap holds no free blocks by size
using Tested = Pipe<Sized, Unsorted>;
#elif WRONG == 2  // @error UnsortedHeap: its super-heap has no get_size\(block\)
using Tested = Pipe<Plain, Adapt<DlList>, Unsorted>;
#elif WRONG == 3  // @error UnsortedHeap: its super-heap is for one size alone
using Tested = Pipe<Sized, Adapt<DlList>, Unsorted>;
#else
using Tested = Pipe<Plain, Coalesceable<>, Seg<TaggedSizes<9>, Adapt<DlList>>, Unsorted, Coalesce>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
