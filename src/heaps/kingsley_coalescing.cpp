// libmmt-kingsley-coalescing.so: the names of malloc and of operator new over the composed Kingsley
// allocator with coalescing.
#include <mmt/layers/general/kingsley_coalescing_heap.h>

#include "heaps/layered_process.h"

namespace mmt::names {
using ProcessHeap =
    heaps::LayeredProcess<layers::Pipe<layers::SystemHeap, layers::KingsleyCoalescing>>;
}  // namespace mmt::names

#include "heaps/library.h"
