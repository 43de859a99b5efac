#include "preload/next.h"

#include <dlfcn.h>

namespace mmt::preload {
namespace {

// dlsym may allocate: that is served by us, and its own frees of ours never come here.
template <class Function>
Function* next(Function** cached, const char* name) {
  Function* function = __atomic_load_n(cached, __ATOMIC_RELAXED);
  if (function == nullptr) {
    function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    __atomic_store_n(cached, function, __ATOMIC_RELAXED);
  }
  return function;
}

void (*free_function)(void*);
void* (*realloc_function)(void*, size_t);
size_t (*usable_size_function)(void*);

}  // namespace

void next_free(void* block) {
  if (block == nullptr) return;
  if (auto* function = next(&free_function, "free")) function(block);
}

void* next_realloc(void* block, size_t bytes) {
  auto* function = next(&realloc_function, "realloc");
  return function == nullptr ? nullptr : function(block, bytes);
}

size_t next_usable_size(void* block) {
  auto* function = next(&usable_size_function, "malloc_usable_size");
  return function == nullptr ? 0 : function(block);
}

}  // namespace mmt::preload
