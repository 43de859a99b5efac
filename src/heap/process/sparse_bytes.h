#pragma once
// These calls write, but leave pages alone that hold already what is to be written. So a page of
// zeros that the program never touches need not become resident. A look costs little: most pages
// that hold something do so at their beginning.
#include <cstddef>

namespace mmt::heap {

// Makes the bytes zero.
void clear_sparsely(char* at, size_t bytes);

// Copies to memory that reads as zero. Both are disjoint.
void copy_to_zeroed(char* to, const char* from, size_t bytes);

}  // namespace mmt::heap
