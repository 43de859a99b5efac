#pragma once
// What would serve the program without us.
#include <dlfcn.h>

#include <cstddef>

#include "names/libc_names.h"

namespace mmt::names {

// The definition of `name` behind ours; nullptr: there is none. Allocations by dlsym are served by
// us, and its own frees of ours never come here.
inline void* next_definition(const char* name) {
  return libc_names.original_of(dlsym(RTLD_NEXT, name));
}

// Gives the same, looked up once.
template <class Function>
Function* next_function(Function** cached, const char* name) {
  Function* function = __atomic_load_n(cached, __ATOMIC_RELAXED);
  if (function == nullptr) {
    function = reinterpret_cast<Function*>(next_definition(name));
    __atomic_store_n(cached, function, __ATOMIC_RELAXED);
  }
  return function;
}

// The next allocator gets back the blocks it gave out. It is found as we are loaded, since an
// allocator behind us may be one of ours too. The names of libc will lead to the first of ours.
void find_next_allocator();
void next_free(void* block);
void* next_realloc(void* block, size_t bytes);
size_t next_usable_size(void* block);

}  // namespace mmt::names
