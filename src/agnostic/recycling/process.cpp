// libmmt-protocol-mmt.so: whatever allocator comes next, by our own protocol.
#include "agnostic/recycling/recycling.h"

namespace mmt::abi {
using ProcessHeap = agnostic::Recycling;
}  // namespace mmt::abi

#include "heaps/library.inc"
