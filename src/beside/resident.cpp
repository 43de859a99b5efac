#include "beside/resident.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cerrno>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>

namespace mmt::beside {

uintptr_t end_of_break() {
  return core::align_up(static_cast<uintptr_t>(core::raw_syscall(SYS_brk, 0)), sys::kPageSize);
}

bool is_resident(uintptr_t address) {
  unsigned char is_there = 0;
  const uintptr_t page = core::align_down(address, sys::kPageSize);
  return !sys::look_for_pages(reinterpret_cast<void*>(page), sys::kPageSize, &is_there) ||
         (is_there & 1) != 0;
}

// The call writes nothing of memory that is no file's; mincore takes four times as long.
bool is_mapped_at(uintptr_t address) {
  const uintptr_t page = core::align_down(address, sys::kPageSize);
  return core::raw_syscall(SYS_msync, static_cast<long>(page), sys::kPageSize, MS_ASYNC) != -ENOMEM;
}

}  // namespace mmt::beside
