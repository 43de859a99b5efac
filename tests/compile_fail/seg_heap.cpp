// SegHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/combine/seg_heap.h>
#include <mmt/layers/combine/tagged_sizes.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/coalesce_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/header/coalesceable_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error SegHeap: Classes has no kCount, kLargest, of\(\), floor_of\(\)
using Tested = Pipe<Plain, Size, Seg<NoClasses, Adapt<DlList>>>;
#elif WRONG == 2  // @error SegHeap: its super-heap has no static get_size\(block\)
using Tested = Pipe<Plain, Seg<PowersOfTwo<9>, Adapt<DlList>>>;
#elif WRONG == 3  // @error SegHeap: its bins have no find\(bytes\) and remove\(block\)
using Tested = Pipe<Plain, Size, Seg<PowersOfTwo<9>, Freelist>>;
#elif WRONG == 4  // @error SegHeap: its super-heap serves one size alone
using Tested = Pipe<OneSize, Size, Seg<PowersOfTwo<9>, Adapt<DlList>>>;
#elif WRONG == 5  // @error SegHeap: its super-heap frees younger blocks with each
using Tested = Pipe<Younger, Size, Seg<PowersOfTwo<9>, Adapt<DlList>>>;
#else
using Tested = Pipe<Plain, Size, Seg<PowersOfTwo<9>, Adapt<DlList>>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
