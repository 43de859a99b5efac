// SizeHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error SizeHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Size>;
#elif WRONG == 2  // @error SizeHeap: the blocks of its super-heap are not aligned so that a header
using Tested = Pipe<Shy, Size>;
#else
using Tested = Pipe<Skewed, Size>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
