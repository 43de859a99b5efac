#include "agnostic/beside/library_memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdarg>
#include <cstddef>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>

#include "agnostic/beside/ranges.h"
#include "agnostic/library.h"

namespace mmt::agnostic {
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

void* answer(long result) {
  if (result < 0 && result > -4096) {
    errno = static_cast<int>(-result);
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(result);
}

// By the kernel at once, as libc's does: to look for the next definition would take the dynamic
// linker's locks within the library's.
void* map(void* at, size_t bytes, int protection, int flags, int file, off_t offset,
          const void* caller) {
  void* const mapped =
      answer(sys::raw_syscall(SYS_mmap, sys::pointer_argument(at), static_cast<long>(bytes),
                              protection, flags, file, offset));
  if (mapped == MAP_FAILED) return mapped;
  const uintptr_t begin = address_of(mapped);
  const uintptr_t end = end_of(mapped, bytes);
  if (is_of_library(caller) && is_plain(protection, flags)) {
    ranges.add(begin, end);
  } else if ((flags & MAP_FIXED) != 0) {
    ranges.cut(begin, end);
  }
  return mapped;
}

}  // namespace

uintptr_t end_of_library_memory(uintptr_t address) { return ranges.end_of(address); }
uint32_t library_memory_version() { return ranges.version(); }

}  // namespace mmt::agnostic

namespace p = mmt::agnostic;

MMT_EXPORT void* mmap(void* at, size_t bytes, int protection, int flags, int file,
                      off_t offset) noexcept {
  return p::map(at, bytes, protection, flags, file, offset, __builtin_return_address(0));
}
MMT_EXPORT void* mmap64(void* at, size_t bytes, int protection, int flags, int file,
                        off64_t offset) noexcept {
  return p::map(at, bytes, protection, flags, file, offset, __builtin_return_address(0));
}

// Before the kernel: afterwards another mapping may be there.
MMT_EXPORT int munmap(void* at, size_t bytes) noexcept {
  p::ranges.cut(p::address_of(at), p::end_of(at, bytes));
  return p::answer(mmt::sys::raw_syscall(SYS_munmap, mmt::sys::pointer_argument(at),
                                         static_cast<long>(bytes))) == MAP_FAILED
             ? -1
             : 0;
}

MMT_EXPORT void* mremap(void* at, size_t before, size_t bytes, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  void* const wanted = (flags & MREMAP_FIXED) != 0 ? va_arg(list, void*) : nullptr;
  va_end(list);
  const bool is_known = p::ranges.end_of(p::address_of(at)) != 0;
  p::ranges.cut(p::address_of(at), p::end_of(at, before));
  if (wanted != nullptr) p::ranges.cut(p::address_of(wanted), p::end_of(wanted, bytes));
  void* const mapped = p::answer(
      mmt::sys::raw_syscall(SYS_mremap, mmt::sys::pointer_argument(at), static_cast<long>(before),
                            static_cast<long>(bytes), flags, mmt::sys::pointer_argument(wanted)));
  const void* const place = mapped == MAP_FAILED ? at : mapped;
  const size_t left = mapped == MAP_FAILED ? before : bytes;
  if (is_known) p::ranges.add(p::address_of(place), p::end_of(place, left));
  return mapped;
}
