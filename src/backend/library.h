#pragma once
// The library is the allocator that the program would have without us. It is the next definition of
// malloc in the order of loading, which is libc's unless another library was preloaded behind this
// one. Only its public calls are used, and only those that come from the same library as its
// malloc.
#include <malloc.h>

#include <cstddef>

namespace mmt::backend {

// Any thread, any time. None sets errno but the functions themselves.
struct Library {
  void* (*malloc)(size_t bytes);
  void (*free)(void* block);
  void* (*calloc)(size_t count, size_t size);
  void* (*realloc)(void* block, size_t bytes);
  void* (*memalign)(size_t alignment, size_t bytes);
  size_t (*usable_size)(void* block);  // 0: the library does not tell
  int (*trim)(size_t pad);
  int (*set_parameter)(int parameter, int value);
  struct mallinfo2 (*info)();
  int (*print_info)(int options, FILE* stream);
  void (*print_stats)();
};

extern Library library;

// Finds the library's functions and reads the options, once. To be called before the first of them,
// outside of any guard, as it may allocate.
void find_library();
// It is libc's own.
bool library_is_libc();
// Its own code, not libc's.
bool is_of_library(const void* code);
// The program's malloc is ours, and not that of another library before us.
bool is_in_front();

}  // namespace mmt::backend
