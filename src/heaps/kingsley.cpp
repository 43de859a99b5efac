// libmmt-kingsley.so: the names of malloc and of operator new over the composed Kingsley allocator.
#include <mmt/layers/general/kingsley_heap.h>

#include "heaps/layered_process.h"

namespace mmt::names {
using ProcessHeap = heaps::LayeredProcess<layers::KingsleyHeap<>>;
}  // namespace mmt::names

#include "heaps/library.h"
