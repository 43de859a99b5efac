// ObstackHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/pipe.h>
#include <mmt/layers/special/obstack_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error ObstackHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Obstack<4096>>;
#elif WRONG == 2  // @error ObstackHeap: its super-heap's blocks are not aligned
using Tested = Pipe<Shy, Obstack<4096>>;
#elif WRONG == 3  // @error ObstackHeap: its super-heap serves one size only
using Tested = Pipe<OneSize, Obstack<4096>>;
#elif WRONG == 4  // @error ObstackHeap: kChunk is no size for a chunk
using Tested = Pipe<Plain, Obstack<kMaxRequest>>;
#elif WRONG == 5  // @error ObstackHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Obstack<4096>>;
#else
using Tested = Pipe<Plain, Obstack<4096>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
