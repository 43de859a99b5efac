// XallocHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/pipe.h>
#include <mmt/layers/special/xalloc_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error XallocHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Xalloc<4096>>;
#elif WRONG == 2  // @error XallocHeap: its super-heap's blocks are not aligned
using Tested = Pipe<Shy, Xalloc<4096>>;
#elif WRONG == 3  // @error XallocHeap: kBytes is no size for an arena
using Tested = Pipe<Plain, Xalloc<48>>;
#elif WRONG == 4  // @error XallocHeap: its super-heap serves one size alone
using Tested = Pipe<OneSize, Xalloc<4096>>;
#elif WRONG == 5  // @error XallocHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Xalloc<4096>>;
#else
using Tested = Pipe<Plain, Xalloc<4096>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
