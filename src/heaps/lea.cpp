// libmmt-lea.so: the names of malloc and of operator new over Doug Lea's allocator.
#include <mmt/layers/general/lea_heap.h>

#include "heaps/layered_process.h"

namespace mmt::names {
using ProcessHeap = heaps::LayeredProcess<layers::Pipe<layers::SystemHeap, layers::Lea<>>>;
}  // namespace mmt::names

#include "heaps/library.h"
