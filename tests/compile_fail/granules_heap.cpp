// GranuleHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/general/hoard/granule_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error GranuleHeap: its super-heap has no allocate\(size, alignment\)
using Tested = Pipe<Plain, Granules<65536>>;
#else
using Tested = Pipe<MmapHeap, Granules<65536>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
