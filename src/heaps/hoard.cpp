// libmmt-hoard.so: the names of malloc and of operator new over a heap after Hoard, which any
// number of threads may use at once.
#include <mmt/layers/general/hoard_heap.h>

#include "heaps/layered_process.h"

namespace mmt::names {
using ProcessHeap = heaps::LayeredProcess<layers::HoardHeap<>, heaps::ThreadGate>;
}  // namespace mmt::names

#include "heaps/library.h"
