// HybridHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/combine/hybrid_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error HybridHeap: its super-heap has no get_size\(block\) by which
using Tested = Pipe<Plain, Hybrid<100, Freelist>>;
#elif WRONG == 2  // @error HybridHeap: its super-heap serves one size only
using Tested = Pipe<Sized, Freelist, Hybrid<100, Freelist>>;
#elif WRONG == 3  // @error HybridHeap: the small heap has no malloc\(size_t\) and free\(void\*\)
using Tested = Pipe<Sized, Hybrid<100, Stage<Mute>>>;
#elif WRONG == 4  // @error HybridHeap: the small heap's blocks are not those of the super-heap
using Tested = Pipe<Sized, Hybrid<100, Size>>;
#elif WRONG == 5  // @error HybridHeap: kLimit is no size
using Tested = Pipe<Sized, Hybrid<0, Freelist>>;
#elif WRONG == 6  // @error HybridHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Hybrid<100, Freelist>>;
#else
using Tested = Pipe<Sized, Hybrid<100, Freelist>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
