#pragma once
// What the kernel says of this process's memory. Raw calls: no allocation, no errno.
#include <cstdint>

namespace mmt::agnostic {

// The end of the private anonymous memory, readable and writable, that `address` lies in, however
// many mappings it consists of; 0: it lies in none, or the system does not tell. Takes some tens of
// microseconds.
uintptr_t end_of_mapping(uintptr_t address);

// The end of the program break's last page.
uintptr_t end_of_break();

// Whether the page there is in memory. True as well where there is none.
bool is_resident(uintptr_t address);

}  // namespace mmt::agnostic
