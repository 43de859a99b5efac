// libmmt-tlsf.so: the names of malloc and of operator new over two-level segregated fit.
#include <mmt/layers/fit/tlsf.h>

#include "heaps/fit/fit_process.h"

namespace mmt::abi {
using ProcessHeap = heaps::FitProcess<layers::fit::Tlsf>;
}  // namespace mmt::abi

#include "heaps/library.inc"
