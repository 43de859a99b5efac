// FailHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/observe/fail_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error FailHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Fail<FailEvery<3>>>;
#elif WRONG == 2  // @error FailHeap: its Policy has no bool fails\(size_t\)
using Tested = Pipe<Plain, Fail<NoClasses>>;
#elif WRONG == 3  // @error FailHeap: realloc and calloc of its super-heap would pass it by
using Tested = Pipe<Front, Fail<FailEvery<3>>>;
#else
using Tested = Pipe<Plain, Fail<FailEvery<3>>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
