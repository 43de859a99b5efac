// TraceHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/observe/trace_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error ObservedHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Trace<>>;
#else
using Tested = Pipe<Plain, Trace<>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
