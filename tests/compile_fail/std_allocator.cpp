// std_allocator: wrong compositions, and without WRONG a right one.
#include <mmt/layers/adapt/std_allocator.h>

#include "compile_fail/parts.h"

namespace mmt::layers {

#if WRONG == 1  // @error std_allocator: its heap has no malloc\(size_t\) and free\(void\*\)
using Tested = std_allocator<int, Nothing>;
#elif WRONG == 2  // @error std_allocator: its heap serves one size only
using Tested = std_allocator<int, OneSize>;
#elif WRONG == 3  // @error std_allocator: its heap's blocks are not aligned for this type
using Tested = std_allocator<std::max_align_t, Shy>;
#else
using Tested = std_allocator<int, Plain>;
#endif

static_assert(sizeof(Tested) > 0);
inline void use(Tested& tested) { static_cast<void>(tested.allocate(1)); }

}  // namespace mmt::layers
