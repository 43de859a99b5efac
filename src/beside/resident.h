#pragma once
// What the kernel says of this process's memory. Raw calls: no allocation, no errno.
#include <cstdint>

namespace mmt::beside {

// The end of the program break's last page.
uintptr_t end_of_break();

// Whether the page there is in memory. True as well where there is none.
bool is_resident(uintptr_t address);
// Whether there is one.
bool is_mapped_at(uintptr_t address);

}  // namespace mmt::beside
