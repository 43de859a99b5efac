// libmmt-double-buddy.so: the names of malloc and of operator new over buddies of 2^k and of 3 *
// 2^k.
#include <mmt/layers/fit/double_buddy.h>

#include "heaps/fit/fit_process.h"

namespace mmt::abi {
using ProcessHeap = heaps::FitProcess<layers::fit::DoubleBuddy>;
}  // namespace mmt::abi

#include "heaps/library.inc"
