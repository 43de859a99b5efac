// AdaptHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/header/coalesceable_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error AdaptHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, Adapt<DlList>>;
#elif WRONG == 2  // @error AdaptHeap: its dictionary lacks what adapt_heap\.h lists
using Tested = Pipe<Sized, Adapt<NoClasses>>;
#elif WRONG == 3  // @error AdaptHeap: its dictionary goes by size, and its super-heap has no
using Tested = Pipe<Plain, Adapt<SizeList>>;
#elif WRONG == 4  // @error AdaptHeap: its dictionary does not lie within the least block
using Tested = Pipe<Plain, Coalesceable<>, Adapt<SizeList>>;
#elif WRONG == 5  // @error AdaptHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Adapt<SizeList>>;
#else
using Tested = Pipe<Sized, Adapt<SizeList>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
