// HeapResource: wrong compositions, and without WRONG a right one.
#include <mmt/layers/adapt/memory_resource.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error HeapResource: its heap has no malloc\(size_t\) and free\(void\*\)
using Tested = HeapResource<Nothing>;
#elif WRONG == 2  // @error HeapResource: its heap serves one size only
using Tested = HeapResource<OneSize>;
#else
using Tested = HeapResource<Plain>;
#endif

static_assert(sizeof(Tested) > 0);

}  // namespace mmt::layers
