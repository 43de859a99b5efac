// PageRegionHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/reserved_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error PageRegionHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, PageRegion>;
#elif WRONG == 2  // @error PageRegionHeap: its source is not contiguous
using Tested = Pipe<Plain, PageRegion>;
#else
using Tested = Pipe<SbrkHeap, PhkControl<PhkNoOptions>, PageRegion>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
