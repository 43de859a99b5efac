// CoalesceableHeap: wrong compositions, and without WRONG a right one.
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

#if WRONG == 1  // @error CoalesceableHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Coalesceable<>>;
#elif WRONG == 2  // @error CoalesceableHeap: its super-heap's blocks are not aligned
using Tested = Pipe<Shy, Coalesceable<>>;
#elif WRONG == 3  // @error CoalesceableHeap: its super-heap serves one size alone
using Tested = Pipe<OneSize, Coalesceable<>>;
#elif WRONG == 4  // @error CoalesceableHeap: blocks below it have boundary tags already
using Tested =
    Pipe<Plain, Coalesceable<>, Seg<TaggedSizes<9>, Adapt<DlList>>, Coalesce, Coalesceable<>>;
#elif WRONG == 5  // @error CoalesceableHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Coalesceable<>>;
#else
using Tested = Pipe<Plain, Coalesceable<>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
