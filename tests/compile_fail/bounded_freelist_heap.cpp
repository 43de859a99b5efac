// BoundedFreelistHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/fit/bounded_freelist_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error BoundedFreelistHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, BoundedFreelist<3>>;
#elif WRONG == 2  // @error BoundedFreelistHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, BoundedFreelist<3>>;
#else
using Tested = Pipe<Plain, BoundedFreelist<3>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
