#pragma once
// The mapping of this process that an address lies in.
#include <cstdint>

namespace mmt::agnostic {

// The end of the private anonymous memory, readable and writable, that `address` lies in; 0: it
// lies in none, or the system does not tell. Raw calls, no allocation; takes some tens of
// microseconds.
uintptr_t end_of_mapping(uintptr_t address);

}  // namespace mmt::agnostic
