// PhkCanaryHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/reserved_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error PhkCanaryHeap: its super-heap has no options\(\)
using Tested = Pipe<Plain, PhkCanary>;
#elif WRONG == 2  // @error PhkCanaryHeap: its super-heap has not all of get_size\(block\)
using Tested = Pipe<Plain, PhkControl<PhkNoOptions>, PhkCanary>;
#else
using Tested =
    Pipe<SbrkHeap, PhkControl<PhkNoOptions>, PageRegion, PageRuns, Pages, PhkChunks, PhkCanary>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
