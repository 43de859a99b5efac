// libmmt-protocol-mmt.so: whatever allocator comes next, by our own protocol.
#include "beside/beside.h"
#include "confine/background_thread.h"
#include "confine/seen_calls.h"

namespace mmt::abi {
using ProcessHeap = backend::Beside;
using BackgroundThread = backend::Beside;
using SeenCalls = NoSeenCalls;
static_assert(IsBackgroundThread<BackgroundThread>);
}  // namespace mmt::abi

#include "confine/confinement.inc"
#include "confine/credentials.inc"
#include "confine/scheduling.inc"
#include "heaps/library.inc"
