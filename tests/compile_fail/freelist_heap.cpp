// FreelistHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error FreelistHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Freelist>;
#elif WRONG == 2  // @error FreelistHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Freelist>;
#else
using Tested = Pipe<Plain, Freelist>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
