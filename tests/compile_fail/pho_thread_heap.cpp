// PHOThreadHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/thread/pho_thread_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error PHOThreadHeap: kHeaps is no number of heaps
using Tested = Pipe<Plain, PHOThread<0, Freelist>>;
#elif WRONG == 2  // @error PHOThreadHeap: a private heap has no malloc\(size_t\) and free\(void\*\)
using Tested = Pipe<Plain, PHOThread<3, Stage<Mute>>>;
#elif WRONG == 3  // @error PHOThreadHeap: the blocks of a private heap are not aligned so that
using Tested = Pipe<Shy, PHOThread<3, Freelist>>;
#elif WRONG == 4  // @error PHOThreadHeap: its super-heap serves one size alone
using Tested = Pipe<OneSize, PHOThread<3, Freelist>>;
#elif WRONG == 5  // @error PHOThreadHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, PHOThread<3, Freelist>>;
#else
using Tested = Pipe<Plain, PHOThread<3, Freelist>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
