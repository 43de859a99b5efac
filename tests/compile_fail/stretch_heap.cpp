// StretchHeap: wrong parameters, and without WRONG right ones.
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/stretch_heap.h>

namespace mmt::layers {

#if WRONG == 1  // @error StretchHeap: kNearest is no power of two of at least 64 KiB
using Tested = StretchHeap<100000>;
#elif WRONG == 2  // @error StretchHeap: no address lies so far above the break
using Tested = StretchHeap<size_t{1} << 47>;
#else
using Tested = StretchHeap<>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
