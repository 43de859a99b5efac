// libmmt-lea.so: the names of malloc and of operator new over Doug Lea's allocator.
#include <mmt/layers/general/lea_heap.h>

#include "heaps/layered_process.h"

namespace mmt::abi {
using ProcessHeap = heaps::LayeredProcess<layers::Pipe<layers::SystemHeap, layers::Lea<>>>;
}  // namespace mmt::abi

#include "heaps/library.inc"
