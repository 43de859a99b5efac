#pragma once
// What would serve the program without us.
#include <dlfcn.h>

#include <cstddef>

namespace mmt::abi {

// The definition of `name` behind ours, looked up once; nullptr when there is none. dlsym may
// allocate: that is served by us, and its own frees of ours never come here.
template <class Function>
Function* next_function(Function** cached, const char* name) {
  Function* function = __atomic_load_n(cached, __ATOMIC_RELAXED);
  if (function == nullptr) {
    function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
    __atomic_store_n(cached, function, __ATOMIC_RELAXED);
  }
  return function;
}

// The next allocator: it gets back the blocks it gave out.
void next_free(void* block);
void* next_realloc(void* block, size_t bytes);
size_t next_usable_size(void* block);

}  // namespace mmt::abi
