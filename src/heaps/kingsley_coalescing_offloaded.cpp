// libmmt-kingsley-coalescing-offloaded.so: the composed Kingsley allocator with coalescing on a
// thread of its own.
#include <mmt/layers/general/kingsley_coalescing_heap.h>
#include <mmt/offload/offload_heap.h>

#include "heaps/layered_process.h"
#include "heaps/offloaded_source.h"
#include "heaps/server_thread.h"

namespace mmt::abi {
using ProcessHeap =
    heaps::LayeredProcess<layers::Pipe<heaps::OffloadedSource, layers::KingsleyCoalescing,
                                       offload::Offload<heaps::ServerThread<>>>,
                          heaps::ThreadGate>;
}  // namespace mmt::abi

#include "heaps/offloaded_library.inc"
