#pragma once
// operator new beyond the fast path. When memory is short it calls the program's new-handler until
// that helps, and in the end throws std::bad_alloc or returns null. The C++ runtime is found when
// it is needed, for the library is not linked to it.
#include <cstddef>

namespace mmt::preload {

void* new_slow(size_t bytes);
void* new_slow_nothrow(size_t bytes);
void* new_aligned(size_t bytes, size_t alignment);
void* new_aligned_nothrow(size_t bytes, size_t alignment);

}  // namespace mmt::preload
