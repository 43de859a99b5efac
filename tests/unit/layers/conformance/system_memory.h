// The system's calls for memory are counted and made to fail. This program has mmap, munmap,
// mremap, sbrk and brk of its own. The layers' calls reach these, and the C library's own do not.
// The break is one of a region of its own, so that the process's malloc does not move it.
#pragma once

#include <cstddef>

namespace mmt::layers::conformance {

// Bytes mapped by this program's own calls, less those unmapped.
size_t mapped_bytes();
// How far the break is above where it was at first.
size_t break_bytes();
// Whatever still lies below it is given up.
void reset_break();

}  // namespace mmt::layers::conformance
