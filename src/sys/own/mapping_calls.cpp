// mmap and munmap of our own, hidden, for libraries whose memory nobody is to follow. (A layered
// heap leaves them to the dynamic linker, as a protocol before it puts itself in their place.)
#include <sys/mman.h>

#include <cerrno>
#include <cstddef>

#include <mmt/core/compiler.h>
#include <mmt/sys/syscall.h>

namespace {

long with_errno(long result) {
  if (result >= 0 || result <= -4096) return result;
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace

MMT_OWN void* mmap(void* at, size_t size, int access, int flags, int file, off_t offset) noexcept {
  return reinterpret_cast<void*>(
      with_errno(mmt::sys::raw_syscall(SYS_mmap, mmt::sys::pointer_argument(at),
                                       static_cast<long>(size), access, flags, file, offset)));
}

MMT_OWN int munmap(void* at, size_t size) noexcept {
  return static_cast<int>(with_errno(
      mmt::sys::raw_syscall(SYS_munmap, mmt::sys::pointer_argument(at), static_cast<long>(size))));
}
