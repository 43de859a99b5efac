#pragma once
// This is a part of a source, which does not compile alone.
// The C names but malloc and free, whose fast paths a library names itself, and what pthread_atfork
// calls. Each forwards in one line. Included once in a library, where mmt::names::ProcessHeap has
// been defined.
#include "names/atfork.h"
#include "names/call.h"
#include "names/libc_debugging.h"
#include "names/not_cancelled.h"
#include "names/parameters.h"
#include "names/translate.h"

namespace p = mmt::names;

namespace mmt::names {
using Names = Translate<ProcessHeap>;
using Call = CallOf<ProcessHeap>;
// The call by which a C name came here.
MMT_ALWAYS_INLINE Call by_c(size_t bytes = kUntold, size_t alignment = kUntold) {
  return by<ProcessHeap>(Form::kMalloc, bytes, alignment);
}
}  // namespace mmt::names

MMT_EXPORT void* calloc(size_t count, size_t size) {
  return p::Names::allocate_zeroed(count, size, p::by_c());
}
MMT_EXPORT void* realloc(void* block, size_t bytes) {
  return p::Names::reallocate(block, bytes, p::by_c());
}
MMT_EXPORT void* reallocarray(void* block, size_t count, size_t size) {
  return p::Names::reallocate_array(block, count, size, p::by_c());
}
MMT_EXPORT void cfree(void* block) { p::Names::deallocate(block, p::by_c()); }
MMT_EXPORT void* memalign(size_t alignment, size_t bytes) {
  return p::Names::allocate_aligned(alignment, bytes, p::by_c());
}
MMT_EXPORT void* aligned_alloc(size_t alignment, size_t bytes) {
  return p::Names::allocate_aligned(alignment, bytes, p::by_c());
}
MMT_EXPORT int posix_memalign(void** result, size_t alignment, size_t bytes) {
  return p::Names::allocate_aligned_posix(result, alignment, bytes, p::by_c());
}
MMT_EXPORT void* valloc(size_t bytes) { return p::Names::allocate_page_aligned(bytes, p::by_c()); }
MMT_EXPORT void* pvalloc(size_t bytes) { return p::Names::allocate_pages(bytes, p::by_c()); }
MMT_EXPORT size_t malloc_usable_size(void* block) {
  return p::Names::usable_size(block, p::by_c());
}
MMT_EXPORT void free_sized(void* block, size_t bytes) {
  p::Names::deallocate(block, p::by_c(bytes));
}
MMT_EXPORT void free_aligned_sized(void* block, size_t alignment, size_t bytes) {
  p::Names::deallocate(block, p::by_c(bytes, alignment));
}
MMT_EXPORT int malloc_trim(size_t kept) { return p::ProcessHeap::trim(kept) ? 1 : 0; }
MMT_EXPORT int mallopt(int parameter, int value) {
  return p::set_parameter<p::ProcessHeap>(parameter, value);
}
MMT_EXPORT struct mallinfo mallinfo() { return p::narrow(p::ProcessHeap::info()); }
MMT_EXPORT struct mallinfo2 mallinfo2() { return p::ProcessHeap::info(); }
MMT_EXPORT int malloc_info(int options, FILE* stream) {
  return p::ProcessHeap::print_info(options, stream);
}
MMT_EXPORT void malloc_stats() {
  const p::NotCancelled throughout;
  p::ProcessHeap::print_stats();
}

// glibc's own names for the same, which some programs call.
MMT_EXPORT void* __libc_malloc(size_t bytes) {
  return p::libcs_or<"__libc_malloc">(p::Names::allocate, bytes, p::by_c());
}
MMT_EXPORT void __libc_free(void* block) {
  p::libcs_or<"__libc_free">(p::Names::deallocate, block, p::by_c());
}
MMT_EXPORT void __libc_cfree(void* block) {
  p::libcs_or<"__libc_free">(p::Names::deallocate, block, p::by_c());
}
MMT_EXPORT void* __libc_calloc(size_t count, size_t size) {
  return p::libcs_or<"__libc_calloc">(p::Names::allocate_zeroed, count, size, p::by_c());
}
MMT_EXPORT void* __libc_realloc(void* block, size_t bytes) {
  return p::libcs_or<"__libc_realloc">(p::Names::reallocate, block, bytes, p::by_c());
}
MMT_EXPORT void* __libc_reallocarray(void* block, size_t count, size_t size) {
  return p::libcs_or<"__libc_reallocarray">(p::Names::reallocate_array, block, count, size,
                                            p::by_c());
}
MMT_EXPORT void* __libc_memalign(size_t alignment, size_t bytes) {
  return p::libcs_or<"__libc_memalign">(p::Names::allocate_aligned, alignment, bytes, p::by_c());
}
MMT_EXPORT void* __libc_valloc(size_t bytes) {
  return p::libcs_or<"__libc_valloc">(p::Names::allocate_page_aligned, bytes, p::by_c());
}
MMT_EXPORT void* __libc_pvalloc(size_t bytes) {
  return p::libcs_or<"__libc_pvalloc">(p::Names::allocate_pages, bytes, p::by_c());
}
MMT_EXPORT int __posix_memalign(void** result, size_t alignment, size_t bytes) {
  return p::libcs_or<"__posix_memalign">(p::Names::allocate_aligned_posix, result, alignment, bytes,
                                         p::by_c());
}
MMT_EXPORT int __libc_mallopt(int parameter, int value) {
  return p::libcs_or<"__libc_mallopt">(p::set_parameter<p::ProcessHeap>, parameter, value);
}
MMT_EXPORT struct mallinfo __libc_mallinfo() {
  return p::libcs_or<"__libc_mallinfo">(+[] { return p::narrow(p::ProcessHeap::info()); });
}

// The handlers that are registered first run last before a fork, and first after it. Ours must be
// these: libc locks its own malloc after all handlers, and a handler may wait for a thread that
// allocates. Libraries that the program is linked to may register theirs before our constructor
// runs. So whoever registers the first handler has ours registered before.
MMT_EXPORT int __register_atfork(p::ForkHandler* prepare, p::ForkHandler* parent,
                                 p::ForkHandler* child, void* object) {
  p::ProcessHeap::install_fork_handlers();
  const int error = p::next_register_atfork(prepare, parent, child, object);
  if (error == 0) p::tell_of_handler<p::ProcessHeap>(prepare);
  return error;
}
