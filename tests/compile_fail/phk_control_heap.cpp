// PhkControlHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/reserved_heap.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error PhkControlHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, PhkControl<PhkNoOptions>>;
#elif WRONG == 2  // @error PhkControlHeap: there is one below it already
using Tested = Pipe<SbrkHeap, PhkControl<PhkNoOptions>, PhkControl<PhkNoOptions>>;
#else
using Tested = Pipe<SbrkHeap, PhkControl<PhkNoOptions>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
