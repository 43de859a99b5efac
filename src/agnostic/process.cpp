// libmmt-protocol-NAME.so: whatever allocator comes next, on a thread of its own, by the protocol
// that the build names.
#include "agnostic/engine.h"
#include "agnostic/protocols/main_alloc.h"
#include "agnostic/protocols/preallocate.h"
#include "agnostic/protocols/sync.h"

namespace mmt::abi {
using namespace mmt::agnostic;
using ProcessHeap = Engine<MMT_PROTOCOL>;
}  // namespace mmt::abi

#include "agnostic/still_break.inc"
#include "heaps/library.inc"
