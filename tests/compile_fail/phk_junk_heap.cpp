// PhkJunkHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/reserved_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error PhkJunkHeap: its super-heap has no options\(\)
using Tested = Pipe<Plain, PhkJunk>;
#elif WRONG == 2  // @error PhkJunkHeap: its super-heap has not all of get_size\(block\)
using Tested = Pipe<Plain, PhkControl<PhkNoOptions>, PhkJunk>;
#else
using Tested =
    Pipe<SbrkHeap, PhkControl<PhkNoOptions>, PageRegion, PageRuns, Pages, PhkChunks, PhkJunk>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
