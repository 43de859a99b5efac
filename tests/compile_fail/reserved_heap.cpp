// ReservedHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/source/reserved_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error ReservedHeap: kBytes is no multiple of 64 KiB
using Tested = ReservedHeap<1000>;
#else
using Tested = ReservedHeap<65536>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
