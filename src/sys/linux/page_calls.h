#pragma once
// The kernel's side of <mmt/sys/pages.h>: the same calls, with the same contract. For the doubles
// of that contract only.
#include <sys/mman.h>

#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>

namespace mmt::sys::kernel {

// Present in the kernel since 5.14, 5.7 and 4.14; older headers lack the names.
inline constexpr int kMadvPopulateWrite = 23;
inline constexpr int kMremapDontUnmap = 4;
inline constexpr int kMadvKeepOnFork = 19;
inline constexpr int kMapFixedNoReplace = 0x100000;

inline constexpr int kProtection = PROT_READ | PROT_WRITE;
// Without reservation: the system would refuse to fork a process one of whose mappings (neighbours
// are one) is larger than its memory.
inline constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
// From this size on the system is asked whether it would give so much to anybody.
inline constexpr size_t kAskedBytes = size_t{1} << 30;
inline constexpr long kErrnoExists = -17;

inline bool failed(long result) { return result < 0 && result > -4096; }

inline bool advise(void* at, size_t bytes, int advice) {
  return raw_syscall(SYS_madvise, pointer_argument(at), static_cast<long>(bytes), advice) == 0;
}

// What the system refuses to any malloc, it is to refuse to us.
inline bool would_reserve(size_t bytes) {
  const long at = raw_syscall(SYS_mmap, 0, static_cast<long>(bytes), kProtection,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (failed(at)) return false;
  raw_syscall(SYS_munmap, at, static_cast<long>(bytes));
  return true;
}

inline MapResult map_at(void* at, size_t bytes) {
  if (bytes >= kAskedBytes && !would_reserve(bytes)) return MapResult::kNoMemory;
  const long result = raw_syscall(SYS_mmap, pointer_argument(at), static_cast<long>(bytes),
                                  kProtection, kFlags | kMapFixedNoReplace, -1, 0);
  if (result == pointer_argument(at)) return MapResult::kMapped;
  if (!failed(result)) {  // a kernel before 4.17 takes the address as a mere hint
    raw_syscall(SYS_munmap, result, static_cast<long>(bytes));
    return MapResult::kOccupied;
  }
  return result == kErrnoExists ? MapResult::kOccupied : MapResult::kNoMemory;
}

inline void* map_anywhere(size_t bytes) {
  const long result =
      raw_syscall(SYS_mmap, 0, static_cast<long>(bytes), kProtection, kFlags, -1, 0);
  return failed(result) ? nullptr : reinterpret_cast<void*>(result);
}

inline void unmap(void* at, size_t bytes) {
  raw_syscall(SYS_munmap, pointer_argument(at), static_cast<long>(bytes));
}

inline bool populate(void* at, size_t bytes) { return advise(at, bytes, kMadvPopulateWrite); }
inline bool prefer_huge_pages(void* at, size_t bytes) { return advise(at, bytes, MADV_HUGEPAGE); }
inline bool discard(void* at, size_t bytes) { return advise(at, bytes, MADV_DONTNEED); }

inline bool renew(void* at, size_t bytes) {
  return !failed(raw_syscall(SYS_mmap, pointer_argument(at), static_cast<long>(bytes), kProtection,
                             kFlags | MAP_FIXED, -1, 0));
}

// Of advice that is none by default, what changes the meaning of a page.
inline bool restore(void* at, size_t bytes) {
  const long start = pointer_argument(at);
  const auto length = static_cast<long>(bytes);
  if (raw_syscall(SYS_mprotect, start, length, kProtection) != 0) return false;
  raw_syscall(SYS_munlock, start, length);
  advise(at, bytes, MADV_DODUMP);
  return advise(at, bytes, MADV_DOFORK) && advise(at, bytes, kMadvKeepOnFork);
}

inline bool move_pages(void* from, void* to, size_t bytes) {
  return !failed(raw_syscall(
      SYS_mremap, pointer_argument(from), static_cast<long>(bytes), static_cast<long>(bytes),
      MREMAP_MAYMOVE | MREMAP_FIXED | kMremapDontUnmap, pointer_argument(to)));
}

}  // namespace mmt::sys::kernel
