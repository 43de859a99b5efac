// CoalesceHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/combine/seg_heap.h>
#include <mmt/layers/combine/tagged_sizes.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/coalesce_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/header/coalesceable_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error CoalesceHeap: its super-heap's blocks have no boundary tags
using Tested = Pipe<Sized, Adapt<SizeList>, Coalesce>;
#elif WRONG == 2  // @error CoalesceHeap: its super-heap holds no free blocks
using Tested = Pipe<Plain, Coalesceable<>, Coalesce>;
#elif WRONG == 3  // @error CoalesceHeap: its super-heap holds blocks of one size alone
using Tested = Pipe<Plain, Coalesceable<>, Adapt<DlList>, Coalesce>;
#else
using Tested = Pipe<Plain, Coalesceable<>, Seg<TaggedSizes<9>, Adapt<DlList>>, Coalesce>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
