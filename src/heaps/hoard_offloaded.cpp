// libmmt-hoard-offloaded.so: a heap after Hoard on a thread of its own.
#include <mmt/layers/general/hoard_heap.h>
#include <mmt/offload/offload_heap.h>

#include "heaps/layered_process.h"
#include "heaps/server_thread.h"

namespace mmt::abi {
using ProcessHeap = heaps::LayeredProcess<
    layers::Pipe<layers::MmapHeap, layers::Hoard<>, offload::Offload<heaps::ServerThread<>>>,
    heaps::ThreadGate>;
}  // namespace mmt::abi

#include "heaps/offloaded_library.inc"
