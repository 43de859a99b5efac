// RoundUpHeap: wrong compositions, and without WRONG a right one.
#include <mmt/layers/combine/round_up_heap.h>
#include <mmt/layers/pipe.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error RoundUpHeap: Classes has no kCount, kLargest, of\(\), floor_of\(\)
using Tested = Pipe<Plain, RoundUp<NoClasses>>;
#elif WRONG == 2  // @error RoundUpHeap: its super-heap has no malloc\(size_t\) and free
using Tested = Pipe<Nothing, RoundUp<PowersOfTwo<9>>>;
#elif WRONG == 3  // @error RoundUpHeap: its super-heap serves one size alone
using Tested = Pipe<OneSize, RoundUp<PowersOfTwo<9>>>;
#else
using Tested = Pipe<Plain, RoundUp<PowersOfTwo<9>>>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
