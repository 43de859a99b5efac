// libmmt-protocol-NAME.so: whatever allocator comes next, on a thread of its own, by the protocol
// that the build names.
#include "abi/background_thread.h"
#include "abi/handed_over.h"
#include "abi/seen_calls.h"
#include "protocols/engine.h"
#include "protocols/main_alloc.h"
#include "protocols/preallocate.h"
#include "protocols/sync.h"

namespace mmt::abi {
using namespace mmt::backend;
using ProcessHeap = Engine<MMT_PROTOCOL>;
using BackgroundThread = HandedOver<ProcessHeap>;
using SeenCalls = NoSeenCalls;
static_assert(IsBackgroundThread<BackgroundThread>);
}  // namespace mmt::abi

#include "abi/confinement.inc"
#include "abi/credentials.inc"
#include "abi/scheduling.inc"
#include "backend/still_break.inc"
#include "heaps/library.inc"
