// libmmt-protocol-mmt.so: whatever allocator comes next, by our own protocol.
#include "agnostic/beside/beside.h"

namespace mmt::abi {
using ProcessHeap = agnostic::Beside;
}  // namespace mmt::abi

#include "heaps/library.inc"
