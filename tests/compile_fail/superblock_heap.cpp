// SuperblockHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/general/hoard_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error SuperblockHeap: Classes has no kCount, kLargest, of\(\), floor_of\(\)
using Tested = Pipe<MmapHeap, Granules<65536>, LargeObjects, Superblocks<NoClasses, 3>>;
#elif WRONG == 2  // @error SuperblockHeap: its super-heap gives no single granules
using Tested = Pipe<MmapHeap, Superblocks<HoardClasses<65536>, 3>>;
#elif WRONG == 3  // @error SuperblockHeap: its size classes do not lie within a granule
using Tested = Pipe<MmapHeap, Granules<65536>, LargeObjects, Superblocks<PowersOfTwo<20>, 3>>;
#else
using Tested = HoardHeap<>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
