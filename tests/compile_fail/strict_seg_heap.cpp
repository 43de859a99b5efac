// StrictSegHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/combine/strict_seg_heap.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error StrictSegHeap: Classes has no kCount, kLargest, of\(\), floor_of\(\)
using Tested = Pipe<Sized, StrictSeg<NoClasses, Freelist>>;
#elif WRONG == 2  // @error StrictSegHeap: its super-heap has no get_size\(block\) by which
using Tested = Pipe<Plain, StrictSeg<PowersOfTwo<5>, Freelist>>;
#elif WRONG == 3  // @error StrictSegHeap: its bins need more of a free block than the least class
using Tested = Pipe<Sized, StrictSeg<PowersOfTwo<5>, Adapt<DlList>>>;
#elif WRONG == 4  // @error StrictSegHeap: its super-heap serves one size alone
using Tested = Pipe<OneSized, StrictSeg<PowersOfTwo<5>, Freelist>>;
#elif WRONG == 5  // @error StrictSegHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, StrictSeg<PowersOfTwo<5>, Freelist>>;
#else
using Tested = Pipe<Sized, StrictSeg<PowersOfTwo<5>, Freelist>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
