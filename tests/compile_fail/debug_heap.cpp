// DebugHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/observe/debug_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error DebugHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Debug<>>;
#elif WRONG == 2  // @error DebugHeap: its Reporter cannot be called with a FaultReport
using Tested = Pipe<Plain, Debug<NoClasses>>;
#elif WRONG == 3  // @error DebugHeap: realloc and calloc of its super-heap would pass it by
using Tested = Pipe<Front, Debug<>>;
#elif WRONG == 4  // @error DebugHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Debug<>>;
#else
using Tested = Pipe<Plain, Debug<>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
