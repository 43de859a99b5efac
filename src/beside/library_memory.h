#pragma once
// This is the memory that the library has mapped for itself. Our mmap, mmap64, munmap and mremap
// tell by their return address who calls. Calls by libc of its own functions go past these names.
#include <cstdint>

namespace mmt::beside {

// It is as of Ranges. Any thread may call it.
uintptr_t end_of_library_memory(uintptr_t address);
uint32_t library_memory_version();
void reset_library_memory_in_child();

}  // namespace mmt::beside
