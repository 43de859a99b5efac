#pragma once
// Blocks that a program frees together, past the thread's caches: to the memory thread as one, or
// to the depot where none serves. Any thread, any context; blocks are those of allocate().
#include <cstddef>

namespace mmt::heap {

struct Heap;

// Fewer blocks than this go to the thread's caches with fewer instructions.
inline constexpr size_t kLeastRun = 4;

// Takes back as many of the first blocks as are small and of one class, and says how many. 0: they
// are fewer than kLeastRun, and the first one is to be freed by itself.
size_t deallocate_run(Heap& heap, void* const* blocks, size_t count);

}  // namespace mmt::heap
