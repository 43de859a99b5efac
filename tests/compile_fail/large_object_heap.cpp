// LargeObjectHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/general/hoard/large_object_heap.h>
#include <mmt/layers/general/hoard_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error LargeObjectHeap: its super-heap deals in no granules
using Tested = Pipe<MmapHeap, LargeObjects>;
#else
using Tested = Pipe<MmapHeap, Granules<65536>, LargeObjects>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
