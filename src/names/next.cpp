#include "names/next.h"

namespace mmt::names {
namespace {

void (*free_function)(void*);
void* (*realloc_function)(void*, size_t);
size_t (*usable_size_function)(void*);

}  // namespace

void find_next_allocator() {
  next_function(&free_function, "free");
  next_function(&realloc_function, "realloc");
  next_function(&usable_size_function, "malloc_usable_size");
}

void next_free(void* block) {
  if (block == nullptr) return;
  if (auto* function = next_function(&free_function, "free")) function(block);
}

void* next_realloc(void* block, size_t bytes) {
  auto* function = next_function(&realloc_function, "realloc");
  return function == nullptr ? nullptr : function(block, bytes);
}

size_t next_usable_size(void* block) {
  auto* function = next_function(&usable_size_function, "malloc_usable_size");
  return function == nullptr ? 0 : function(block);
}

}  // namespace mmt::names
