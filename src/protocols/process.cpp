// libmmt-protocol-NAME.so: whatever allocator comes next, on a thread of its own, by the protocol
// that the build names.
#include "confine/background_thread.h"
#include "confine/handed_over.h"
#include "confine/seen_calls.h"
#include "protocols/engine.h"
#include "protocols/main_alloc.h"
#include "protocols/preallocate.h"
#include "protocols/sync.h"

namespace mmt::names {
using namespace mmt::protocols;
using ProcessHeap = Engine<MMT_PROTOCOL>;
}  // namespace mmt::names

namespace mmt::confine {
using BackgroundThread = HandedOver<names::ProcessHeap>;
using SeenCalls = NoSeenCalls;
static_assert(IsBackgroundThread<BackgroundThread>);
}  // namespace mmt::confine

#include "backend/still_break.h"
#include "confine/confinement.h"
#include "confine/credentials.h"
#include "confine/scheduling.h"
#include "heaps/library.h"
