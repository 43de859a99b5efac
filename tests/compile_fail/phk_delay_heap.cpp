// PhkDelayHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/reserved_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error PhkDelayHeap: its super-heap has no options\(\)
using Tested = Pipe<Plain, PhkDelay>;
#elif WRONG == 2  // @error PhkDelayHeap: its super-heap has no get_size\(block\) and
                  // allocate\(size, alignment\)
using Tested = Pipe<Plain, PhkControl<PhkNoOptions>, PhkDelay>;
#else
using Tested =
    Pipe<SbrkHeap, PhkControl<PhkNoOptions>, PageRegion, PageRuns, Pages, PhkChunks, PhkDelay>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
