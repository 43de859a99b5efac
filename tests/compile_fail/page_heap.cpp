// PageHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/reserved_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error PageHeap: its super-heap has no take_run\(\) and release_run\(\)
using Tested = Pipe<SbrkHeap, PageRegion, Pages>;
#else
using Tested = Pipe<SbrkHeap, PhkControl<PhkNoOptions>, PageRegion, PageRuns, Pages>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
