// libmmt-protocol-mmt.so: whatever allocator comes next, by our own protocol.
#include "abi/background_thread.h"
#include "abi/seen_calls.h"
#include "agnostic/beside/beside.h"

namespace mmt::abi {
using ProcessHeap = agnostic::Beside;
using BackgroundThread = agnostic::Beside;
using SeenCalls = NoSeenCalls;
static_assert(IsBackgroundThread<BackgroundThread>);
}  // namespace mmt::abi

#include "abi/confinement.inc"
#include "abi/credentials.inc"
#include "abi/scheduling.inc"
#include "heaps/library.inc"
