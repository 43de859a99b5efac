// libmmt-phk.so: the names of malloc and of operator new over PHKmalloc, with its options and
// warnings.
#include <mmt/layers/general/phk_heap.h>

#include "heaps/layered_process.h"

namespace mmt::names {
using ProcessHeap =
    heaps::LayeredProcess<layers::PhkHeap<layers::SystemHeap, layers::PhkProcessOptions>>;
}  // namespace mmt::names

#include "heaps/library.h"
