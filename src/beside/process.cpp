// libmmt-protocol-mmt.so: whatever allocator comes next, by our own protocol.
#include "abi/background_thread.h"
#include "abi/seen_calls.h"
#include "beside/beside.h"

namespace mmt::abi {
using ProcessHeap = backend::Beside;
using BackgroundThread = backend::Beside;
using SeenCalls = NoSeenCalls;
static_assert(IsBackgroundThread<BackgroundThread>);
}  // namespace mmt::abi

#include "abi/confinement.inc"
#include "abi/credentials.inc"
#include "abi/scheduling.inc"
#include "heaps/library.inc"
