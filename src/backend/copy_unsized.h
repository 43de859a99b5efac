#pragma once
// Copies out of a block whose size the library cannot be asked for just now.
#include <sys/uio.h>

#include <cstddef>

#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::backend {

// As much as can be read, up to `bytes`, and maybe of what lies behind the block. False: none may
// be read so, as the system call is forbidden.
inline bool copy_unsized(void* to, const void* from, size_t bytes) {
  const iovec there{const_cast<void*>(from), bytes};
  const iovec here{to, bytes};
  return sys::raw_syscall(SYS_process_vm_readv, sys::current_process_id(),
                          sys::pointer_argument(&here), 1, sys::pointer_argument(&there), 1, 0) > 0;
}

}  // namespace mmt::backend
