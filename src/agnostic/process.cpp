// libmmt-protocol-NAME.so: whatever allocator comes next, on a thread of its own, by the protocol
// that the build names.
#include "abi/background_thread.h"
#include "abi/handed_over.h"
#include "abi/seen_calls.h"
#include "agnostic/engine.h"
#include "agnostic/protocols/main_alloc.h"
#include "agnostic/protocols/preallocate.h"
#include "agnostic/protocols/sync.h"

namespace mmt::abi {
using namespace mmt::agnostic;
using ProcessHeap = Engine<MMT_PROTOCOL>;
using BackgroundThread = HandedOver<ProcessHeap>;
using SeenCalls = NoSeenCalls;
static_assert(IsBackgroundThread<BackgroundThread>);
}  // namespace mmt::abi

#include "abi/confinement.inc"
#include "abi/credentials.inc"
#include "abi/scheduling.inc"
#include "agnostic/still_break.inc"
#include "heaps/library.inc"
