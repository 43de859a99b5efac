// OffloadHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/thread/offload/offload_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

using layers::Offload;

#if WRONG == 1  // @error OffloadHeap: its super-heap has no get_size\(block\) by which
using Tested = Pipe<Plain, Offload<>>;
#elif WRONG == 2  // @error OffloadHeap: get_size\(\) of its super-heap may not be called beside
using Tested = Pipe<Sized, Offload<>>;
#elif WRONG == 3  // @error OffloadHeap: the blocks of its super-heap are not aligned for any type
using Tested = Pipe<ShyShared, Offload<>>;
#elif WRONG == 4  // @error OffloadHeap: its super-heap serves one size alone
using Tested = Pipe<OneSize, Size, Offload<>>;
#elif WRONG == 5  // @error OffloadHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Size, Offload<>>;
#else
using Tested = Pipe<Plain, Size, Offload<>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
