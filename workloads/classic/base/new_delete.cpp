// `new` and `delete` are malloc and free. Those of the C++ library are the same, but it comes with
// a block for exceptions in hard times. That block is taken from the heap at start, and is several
// times larger than all the matrices.
#include <cstddef>
#include <cstdlib>
#include <new>

#include "base/memory.h"

void* operator new(size_t bytes) { return mmt::workloads::classic::allocate(bytes); }
void* operator new[](size_t bytes) { return mmt::workloads::classic::allocate(bytes); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }
void operator delete[](void* block, size_t) noexcept { std::free(block); }
