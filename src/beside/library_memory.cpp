#include "beside/library_memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdarg>
#include <cstddef>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>

#include "backend/library.h"
#include "beside/ranges.h"
#include "names/early.h"
#include "names/next.h"

namespace mmt::beside {

using backend::is_of_library;

namespace {

constinit Ranges ranges;

uintptr_t address_of(const void* at) { return reinterpret_cast<uintptr_t>(at); }
uintptr_t end_of(const void* at, size_t bytes) {
  return core::align_up(address_of(at) + bytes, sys::kPageSize);
}

bool is_plain(int protection, int flags) {
  constexpr int kReadWrite = PROT_READ | PROT_WRITE;
  constexpr int kOwn = MAP_PRIVATE | MAP_ANONYMOUS;
  constexpr int kOther = MAP_SHARED | MAP_GROWSDOWN | MAP_STACK | MAP_HUGETLB;
  return (protection & kReadWrite) == kReadWrite && (flags & (kOwn | kOther)) == kOwn;
}

// What comes next of these names; looked up as we are loaded, since later that would take the
// dynamic linker's locks within the library's. Until then the kernel itself.
void* (*next_mmap)(void*, size_t, int, int, int, off_t) = nullptr;
int (*next_munmap)(void*, size_t) = nullptr;
void* (*next_mremap)(void*, size_t, size_t, int, ...) = nullptr;
__attribute__((constructor(101))) void find_next() {
  next_mmap = reinterpret_cast<decltype(next_mmap)>(names::next_definition("mmap"));
  next_munmap = reinterpret_cast<decltype(next_munmap)>(names::next_definition("munmap"));
  next_mremap = reinterpret_cast<decltype(next_mremap)>(names::next_definition("mremap"));
}

long answer(long result) {
  if (result >= 0 || result <= -4096) return result;
  if (!names::is_early()) errno = static_cast<int>(-result);
  return -1;
}

void* call_mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  if (next_mmap != nullptr) return next_mmap(at, bytes, protection, flags, file, offset);
  return reinterpret_cast<void*>(
      answer(sys::raw_syscall(SYS_mmap, sys::pointer_argument(at), static_cast<long>(bytes),
                              protection, flags, file, offset)));
}
int call_munmap(void* at, size_t bytes) {
  if (next_munmap != nullptr) return next_munmap(at, bytes);
  return static_cast<int>(
      answer(sys::raw_syscall(SYS_munmap, sys::pointer_argument(at), static_cast<long>(bytes))));
}
void* call_mremap(void* at, size_t before, size_t bytes, int flags, void* wanted) {
  if (next_mremap != nullptr) return next_mremap(at, before, bytes, flags, wanted);
  return reinterpret_cast<void*>(
      answer(sys::raw_syscall(SYS_mremap, sys::pointer_argument(at), static_cast<long>(before),
                              static_cast<long>(bytes), flags, sys::pointer_argument(wanted))));
}

void* map(void* at, size_t bytes, int protection, int flags, int file, off_t offset,
          const void* caller) {
  // What was there is no longer what it was, also should the call fail.
  if ((flags & MAP_FIXED) != 0) ranges.cut(address_of(at), end_of(at, bytes));
  void* const mapped = call_mmap(at, bytes, protection, flags, file, offset);
  if (mapped != MAP_FAILED && is_of_library(caller) && is_plain(protection, flags)) {
    ranges.add(address_of(mapped), end_of(mapped, bytes));
  }
  return mapped;
}

// Before the kernel: afterwards another mapping may be there.
int unmap(void* at, size_t bytes) {
  ranges.cut(address_of(at), end_of(at, bytes));
  return call_munmap(at, bytes);
}

void* remap(void* at, size_t before, size_t bytes, int flags, void* wanted) {
  if (names::is_early()) return call_mremap(at, before, bytes, flags, wanted);  // no errno yet
  const bool is_known = ranges.end_of(address_of(at)) != 0;
  ranges.cut(address_of(at), end_of(at, before));
  if ((flags & MREMAP_FIXED) != 0) ranges.cut(address_of(wanted), end_of(wanted, bytes));
  const int kept = errno;
  void* mapped = call_mremap(at, before, bytes, flags, wanted);
  // Where a part is to be of huge pages it is several mappings to the kernel, until all of it is.
  if (mapped == MAP_FAILED && is_known && errno == EFAULT && sys::prefer_huge_pages(at, before)) {
    mapped = call_mremap(at, before, bytes, flags, wanted);
    if (mapped != MAP_FAILED) errno = kept;
  }
  if (mapped != MAP_FAILED && is_known) ranges.add(address_of(mapped), end_of(mapped, bytes));
  return mapped;
}

}  // namespace

uintptr_t end_of_library_memory(uintptr_t address) { return ranges.end_of(address); }
uint32_t library_memory_version() { return ranges.version(); }
void reset_library_memory_in_child() { ranges.reset_in_child(); }

}  // namespace mmt::beside

namespace p = mmt::beside;

MMT_EXPORT void* mmap(void* at, size_t bytes, int protection, int flags, int file,
                      off_t offset) noexcept {
  return p::map(at, bytes, protection, flags, file, offset, __builtin_return_address(0));
}
MMT_EXPORT void* mmap64(void* at, size_t bytes, int protection, int flags, int file,
                        off64_t offset) noexcept {
  return p::map(at, bytes, protection, flags, file, offset, __builtin_return_address(0));
}

MMT_EXPORT int munmap(void* at, size_t bytes) noexcept { return p::unmap(at, bytes); }
MMT_EXPORT void* mremap(void* at, size_t before, size_t bytes, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  void* const wanted = va_arg(list, void*);  // as it was found, where there is none
  va_end(list);
  return p::remap(at, before, bytes, flags, wanted);
}
