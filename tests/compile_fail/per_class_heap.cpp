// PerClassHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/adapt/per_class_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error PerClassHeap: the blocks of its heap are not aligned for any type
using Tested = PerClassHeap<NoClasses, Shy>;
#else
using Tested = PerClassHeap<NoClasses, Plain>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
