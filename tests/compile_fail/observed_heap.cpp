// ObservedHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/observe/observed_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error ObservedHeap: its super-heap has no malloc\(size_t\) and free
using Tested = ObservedHeap<detail::Counter<false>, Nothing>;
#elif WRONG == 2  // @error ObservedHeap: its Observer lacks some of
using Tested = ObservedHeap<NoClasses, Plain>;
#elif WRONG == 3  // @error ObservedHeap: realloc and calloc of its super-heap would pass it by
using Tested = ObservedHeap<detail::Counter<false>, Front>;
#else
using Tested = ObservedHeap<detail::Counter<false>, Plain>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
