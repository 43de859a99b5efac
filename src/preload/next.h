#pragma once
// The allocator that would serve the program without us: it gets back the blocks it gave out.
#include <cstddef>

namespace mmt::preload {

void next_free(void* block);
void* next_realloc(void* block, size_t bytes);
size_t next_usable_size(void* block);

}  // namespace mmt::preload
