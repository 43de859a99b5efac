// SelectMmapHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/combine/seg_heap.h>
#include <mmt/layers/combine/select_mmap_heap.h>
#include <mmt/layers/combine/tagged_sizes.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/coalesce_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/header/coalesceable_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error SelectMmapHeap: the heap for large blocks has no malloc, free and get_size
using Tested = Pipe<Plain, Coalesceable<>, Seg<TaggedSizes<9>, Adapt<DlList>>, Coalesce,
                    SelectMmap<20000, Plain>>;
#elif WRONG == 2  // @error SelectMmapHeap: its super-heap's blocks have no boundary tags
using Tested = Pipe<Sized, SelectMmap<20000, MmapHeap>>;
#else
using Tested = Pipe<Plain, Coalesceable<>, Seg<TaggedSizes<9>, Adapt<DlList>>, Coalesce,
                    SelectMmap<20000, MmapHeap>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
