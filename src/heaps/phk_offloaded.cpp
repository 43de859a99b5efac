// libmmt-phk-offloaded.so: PHKmalloc on a thread of its own. Its directory of pages may not be read
// while that works, so each block has its size before it.
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/offload/offload_heap.h>

#include "heaps/layered_process.h"
#include "heaps/offloaded_source.h"
#include "heaps/server_thread.h"

namespace mmt::abi {
using ProcessHeap = heaps::LayeredProcess<
    layers::Pipe<heaps::OffloadedSource, layers::Phk<layers::PhkProcessOptions>, layers::Size,
                 offload::Offload<heaps::ServerThread<heaps::Looks::kNo>>>,
    heaps::ThreadGate>;
}  // namespace mmt::abi

#include "heaps/offloaded_library.inc"
