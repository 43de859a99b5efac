// PageRunsHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/reserved_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error PageRunsHeap: its super-heap has no extend\(pages\) and shorten\(address\)
using Tested = Pipe<SbrkHeap, PageRuns>;
#elif WRONG == 2  // @error PageRunsHeap: its super-heap has no options\(\)
using Tested = Pipe<SbrkHeap, PageRegion, PageRuns>;
#else
using Tested = Pipe<SbrkHeap, PhkControl<PhkNoOptions>, PageRegion, PageRuns>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
