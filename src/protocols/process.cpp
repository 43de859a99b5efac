// libmmt-protocol-NAME.so: whatever allocator comes next, on a thread of its own, by the protocol
// that the build names.
#include "confine/background_thread.h"
#include "confine/handed_over.h"
#include "confine/seen_calls.h"
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

#include "backend/still_break.inc"
#include "confine/confinement.inc"
#include "confine/credentials.inc"
#include "confine/scheduling.inc"
#include "heaps/library.inc"
