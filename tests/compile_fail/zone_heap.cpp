// ZoneHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/pipe.h>
#include <mmt/layers/special/zone_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error ZoneHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Zone<4096>>;
#elif WRONG == 2  // @error ZoneHeap: its super-heap's blocks are not aligned
using Tested = Pipe<Shy, Zone<4096>>;
#elif WRONG == 3  // @error ZoneHeap: its super-heap serves one size only
using Tested = Pipe<OneSize, Zone<4096>>;
#elif WRONG == 4  // @error ZoneHeap: kChunk is no size for a chunk
using Tested = Pipe<Plain, Zone<16>>;
#elif WRONG == 5  // @error ZoneHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Zone<4096>>;
#else
using Tested = Pipe<Plain, Zone<4096>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
