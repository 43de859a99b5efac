// ThrowExceptionHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/adapt/throw_exception_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error ThrowExceptionHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, ThrowException>;
#else
using Tested = Pipe<Plain, ThrowException>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
