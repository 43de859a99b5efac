// libmmt-protocol-mmt.so: whatever allocator comes next, by our own protocol.
#include "beside/beside.h"
#include "confine/background_thread.h"
#include "confine/seen_calls.h"

namespace mmt::names {
using ProcessHeap = beside::Beside;
}  // namespace mmt::names

namespace mmt::confine {
using BackgroundThread = beside::Beside;
using SeenCalls = NoSeenCalls;
static_assert(IsBackgroundThread<BackgroundThread>);
}  // namespace mmt::confine

#include "confine/confinement.h"
#include "confine/credentials.h"
#include "confine/scheduling.h"
#include "heaps/library.h"
