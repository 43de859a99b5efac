// Bins: wrong compositions, and without WRONG a right one.
#include <mmt/layers/combine/strict_seg_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error Bins: a bin has no malloc\(size_t\) and free
using Tested = Pipe<Sized, StrictSeg<PowersOfTwo<5>, Stage<Mute>>>;
#else
using Tested = Pipe<Sized, StrictSeg<PowersOfTwo<5>, Freelist>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
