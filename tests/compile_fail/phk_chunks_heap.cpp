// PhkChunksHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/reserved_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error PhkChunksHeap: its super-heap has no blocks of whole pages
using Tested = Pipe<SbrkHeap, PhkControl<PhkNoOptions>, PageRegion, PhkChunks>;
#elif WRONG == 2  // @error PhkChunksHeap: there is one below it already
using Tested =
    Pipe<SbrkHeap, PhkControl<PhkNoOptions>, PageRegion, PageRuns, Pages, PhkChunks, PhkChunks>;
#else
using Tested = Pipe<SbrkHeap, PhkControl<PhkNoOptions>, PageRegion, PageRuns, Pages, PhkChunks>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
