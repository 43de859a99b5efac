// ThreadHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/thread/thread_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error ThreadHeap: no heaps
using Tested = Pipe<Sized, Thread<0, Freelist>>;
#elif WRONG == 2  // @error ThreadHeap: its super-heap has no get_size\(block\) by which
using Tested = Pipe<Plain, Thread<3, Freelist>>;
#elif WRONG == 3  // @error ThreadHeap: a private heap has no malloc\(size_t\) and free\(void\*\)
using Tested = Pipe<Sized, Thread<3, Stage<Mute>>>;
#elif WRONG == 4  // @error ThreadHeap: a private heap's blocks are not those of the super-heap
using Tested = Pipe<Sized, Thread<3, Size>>;
#elif WRONG == 5  // @error ThreadHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Thread<3, Freelist>>;
#else
using Tested = Pipe<Sized, Thread<3, Freelist>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
