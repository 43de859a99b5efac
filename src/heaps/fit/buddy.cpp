// libmmt-buddy.so: the names of malloc and of operator new over binary buddies.
#include <mmt/layers/fit/buddy.h>

#include "heaps/fit/fit_process.h"

namespace mmt::abi {
using ProcessHeap = heaps::FitProcess<layers::fit::Buddy>;
}  // namespace mmt::abi

#include "heaps/library.inc"
