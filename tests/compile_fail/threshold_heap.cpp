// ThresholdHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/combine/threshold_heap.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/bounded_freelist_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error ThresholdHeap: Classes has no kCount, kLargest, of\(\), floor_of\(\)
using Tested = Pipe<Sized, Threshold<1000, NoClasses, Freelist>>;
#elif WRONG == 2  // @error ThresholdHeap: a small block is a large request
using Tested = Pipe<Sized, Threshold<200, PowersOfTwo<5>, Freelist>>;
#elif WRONG == 3  // @error ThresholdHeap: its super-heap has no get_size\(block\) by which
using Tested = Pipe<Plain, Threshold<1000, PowersOfTwo<5>, Freelist>>;
#elif WRONG == 4  // @error ThresholdHeap: its bins do not keep all that is freed
using Tested = Pipe<Sized, Threshold<1000, PowersOfTwo<5>, BoundedFreelist<3>>>;
#elif WRONG == 5  // @error ThresholdHeap: its bins need more of a free block than the least class
using Tested = Pipe<Sized, Threshold<1000, PowersOfTwo<5>, Adapt<DlList>>>;
#elif WRONG == 6  // @error ThresholdHeap: its super-heap serves one size alone
using Tested = Pipe<OneSized, Threshold<1000, PowersOfTwo<5>, Freelist>>;
#elif WRONG == 7  // @error ThresholdHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Threshold<1000, PowersOfTwo<5>, Freelist>>;
#else
using Tested = Pipe<Sized, Threshold<1000, PowersOfTwo<5>, Freelist>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
