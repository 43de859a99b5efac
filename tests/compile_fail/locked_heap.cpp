// LockedHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/pipe.h>
#include <mmt/layers/thread/locked_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error LockedHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Locked<>>;
#elif WRONG == 2  // @error LockedHeap: its Lock has no lock\(\) and unlock\(\)
using Tested = Pipe<Plain, Locked<NoClasses>>;
#elif WRONG == 3  // @error LockedHeap: realloc and calloc of its super-heap would pass the lock by
using Tested = Pipe<Front, Locked<>>;
#else
using Tested = Pipe<Plain, Locked<>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
