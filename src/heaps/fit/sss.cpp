// libmmt-sss.so: the names of malloc and of operator new over lists by size, where chunks are
// neither split nor joined.
#include <mmt/layers/fit/simple_segregated.h>

#include "heaps/fit/fit_process.h"

namespace mmt::abi {
using ProcessHeap = heaps::FitProcess<layers::fit::SimpleSegregated>;
}  // namespace mmt::abi

#include "heaps/library.inc"
