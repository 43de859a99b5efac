#pragma once
// The file of a new pool, by raw calls alone: for programs that are recorded, and for tests.
#include <fcntl.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

#include <mmt/sys/syscall.h>

#include "trace/pool.h"

namespace mmt::trace {

// Makes a pool of kFewestChunks to kMostChunks, of which the first are free. It is for its owner
// alone, and of this size for good: nobody can take away what another has mapped. Returns -errno
// where there can be none.
inline long make_pool_file(size_t chunks) {
  using sys::pointer_argument;
  using sys::raw_syscall;
  constexpr long kFlags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  constexpr long kNeverExecuted = 0x8;  // MFD_NOEXEC_SEAL, which kernels before 6.3 refuse
  const long name = pointer_argument("mmt-trace");
  long file = raw_syscall(SYS_memfd_create, name, kFlags | kNeverExecuted);
  if (file < 0) file = raw_syscall(SYS_memfd_create, name, kFlags);
  if (file < 0) return file;
  constexpr size_t kWords = kPendingChunks / 64;
  uint64_t free[kWords];
  for (size_t i = 0; i < kWords; ++i) {
    const size_t behind = chunks > 64 * i ? chunks - 64 * i : 0;
    free[i] = behind >= 64 ? ~uint64_t{0} : (uint64_t{1} << behind) - 1;
  }
  free[0] -= 1;  // the pool itself
  long done = raw_syscall(SYS_fchmod, file, 0600);
  if (done >= 0) done = raw_syscall(SYS_ftruncate, file, static_cast<long>(chunks * kChunkBytes));
  if (done >= 0) {
    done = raw_syscall(SYS_pwrite64, file, pointer_argument(free), sizeof free,
                       static_cast<long>(offsetof(Pool, free)));
  }
  if (done >= 0) {
    done = raw_syscall(SYS_fcntl, file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  }
  if (done >= 0) return file;
  raw_syscall(SYS_close, file);
  return done;
}

}  // namespace mmt::trace
