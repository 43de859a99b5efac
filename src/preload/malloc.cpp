// The C names. Each forwards in one line.
#include "preload/info.h"
#include "preload/translate.h"

namespace p = mmt::preload;

MMT_EXPORT void* malloc(size_t bytes) { return p::allocate(bytes); }
MMT_EXPORT void free(void* block) { p::deallocate(block); }
MMT_EXPORT void* calloc(size_t count, size_t size) { return p::allocate_zeroed(count, size); }
MMT_EXPORT void* realloc(void* block, size_t bytes) { return p::reallocate(block, bytes); }
MMT_EXPORT void* reallocarray(void* block, size_t count, size_t size) {
  return p::reallocate_array(block, count, size);
}
MMT_EXPORT void cfree(void* block) { p::deallocate(block); }
MMT_EXPORT void* memalign(size_t alignment, size_t bytes) {
  return p::allocate_aligned(alignment, bytes);
}
MMT_EXPORT void* aligned_alloc(size_t alignment, size_t bytes) {
  return p::allocate_aligned(alignment, bytes);
}
MMT_EXPORT int posix_memalign(void** result, size_t alignment, size_t bytes) {
  return p::allocate_aligned_posix(result, alignment, bytes);
}
MMT_EXPORT void* valloc(size_t bytes) { return p::allocate_aligned(mmt::sys::kPageSize, bytes); }
MMT_EXPORT void* pvalloc(size_t bytes) { return p::allocate_pages(bytes); }
MMT_EXPORT size_t malloc_usable_size(void* block) { return p::usable_size(block); }
MMT_EXPORT void free_sized(void* block, size_t) { p::deallocate(block); }
MMT_EXPORT void free_aligned_sized(void* block, size_t, size_t) { p::deallocate(block); }
MMT_EXPORT int malloc_trim(size_t) { return mmt::offload::trim() ? 1 : 0; }
MMT_EXPORT int mallopt(int parameter, int value) { return p::set_parameter(parameter, value); }
MMT_EXPORT struct mallinfo mallinfo() { return p::info_narrow(); }
MMT_EXPORT struct mallinfo2 mallinfo2() { return p::info(); }
MMT_EXPORT int malloc_info(int options, FILE* stream) { return p::print_info(options, stream); }
MMT_EXPORT void malloc_stats() { p::print_stats(); }

// glibc's own names for the same, which some programs call.
MMT_EXPORT void* __libc_malloc(size_t bytes) { return p::allocate(bytes); }
MMT_EXPORT void __libc_free(void* block) { p::deallocate(block); }
MMT_EXPORT void __libc_cfree(void* block) { p::deallocate(block); }
MMT_EXPORT void* __libc_calloc(size_t count, size_t size) {
  return p::allocate_zeroed(count, size);
}
MMT_EXPORT void* __libc_realloc(void* block, size_t bytes) { return p::reallocate(block, bytes); }
MMT_EXPORT void* __libc_reallocarray(void* block, size_t count, size_t size) {
  return p::reallocate_array(block, count, size);
}
MMT_EXPORT void* __libc_memalign(size_t alignment, size_t bytes) {
  return p::allocate_aligned(alignment, bytes);
}
MMT_EXPORT void* __libc_valloc(size_t bytes) {
  return p::allocate_aligned(mmt::sys::kPageSize, bytes);
}
MMT_EXPORT void* __libc_pvalloc(size_t bytes) { return p::allocate_pages(bytes); }
MMT_EXPORT int __posix_memalign(void** result, size_t alignment, size_t bytes) {
  return p::allocate_aligned_posix(result, alignment, bytes);
}
MMT_EXPORT int __libc_mallopt(int parameter, int value) {
  return p::set_parameter(parameter, value);
}
MMT_EXPORT struct mallinfo __libc_mallinfo() { return p::info_narrow(); }
