// libmmt-kingsley.so: the names of malloc and of operator new over the composed Kingsley allocator.
#include <mmt/layers/general/kingsley_heap.h>

#include "heaps/layered_process.h"

namespace mmt::abi {
using ProcessHeap = heaps::LayeredProcess<layers::KingsleyHeap<>>;
}  // namespace mmt::abi

#include "heaps/library.inc"
