#pragma once
// The kernel's side of <mmt/sys/pages.h>: the same calls, with the same contract. For the doubles
// of that contract only.
#include <sys/mman.h>

#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::sys::kernel {

// Present in the kernel since 5.14, 4.14 and 4.17; older headers lack the names.
inline constexpr int kMadvPopulateWrite = 23;
inline constexpr int kMadvKeepOnFork = 19;
inline constexpr int kMapFixedNoReplace = 0x100000;

inline constexpr int kProtection = PROT_READ | PROT_WRITE;
// Without reservation: the system would refuse to fork a process one of whose mappings (neighbours
// are one) is larger than its memory.
inline constexpr int kPlainFlags = MAP_PRIVATE | MAP_ANONYMOUS;
inline constexpr int kFlags = kPlainFlags | MAP_NORESERVE;
// From this size on the system is asked whether it would give so much to anybody.
inline constexpr size_t kAskedBytes = size_t{1} << 30;
inline constexpr long kErrnoPermission = -1;
inline constexpr long kErrnoAgain = -11;
inline constexpr long kErrnoNoMemory = -12;
inline constexpr long kErrnoAccess = -13;
inline constexpr long kErrnoExists = -17;
inline constexpr long kErrnoInvalid = -22;
inline constexpr long kErrnoNoCall = -38;

inline bool failed(long result) { return result < 0 && result > -4096; }

// Not for want of memory or address space: a filter may have refused the flags.
inline bool refused(long result) {
  return failed(result) && result != kErrnoExists && result != kErrnoNoMemory &&
         result != kErrnoAgain;
}

// mmap with the flags that suit us; where these are refused, or the process may be killed for them,
// with those of any malloc.
inline long map(void* at, size_t bytes, int unusual, int plain) {
  const long address = pointer_argument(at);
  const auto length = static_cast<long>(bytes);
  if (is_quiet()) return raw_syscall(SYS_mmap, address, length, kProtection, plain, -1, 0);
  const long result = raw_syscall(SYS_mmap, address, length, kProtection, unusual, -1, 0);
  return refused(result) ? raw_syscall(SYS_mmap, address, length, kProtection, plain, -1, 0)
                         : result;
}

inline bool advise(void* at, size_t bytes, int advice) {
  return raw_syscall(SYS_madvise, pointer_argument(at), static_cast<long>(bytes), advice) == 0;
}

// What the system refuses to any malloc, it is to refuse to us.
inline bool would_reserve(size_t bytes) {
  const long at =
      raw_syscall(SYS_mmap, 0, static_cast<long>(bytes), kProtection, kPlainFlags, -1, 0);
  if (failed(at)) return false;
  raw_syscall(SYS_munmap, at, static_cast<long>(bytes));
  return true;
}

inline MapResult map_at(void* at, size_t bytes) {
  if (bytes >= kAskedBytes && !would_reserve(bytes)) return MapResult::kNoMemory;
  const long result = map(at, bytes, kFlags | kMapFixedNoReplace, kPlainFlags);
  if (result == pointer_argument(at)) return MapResult::kMapped;
  if (!failed(result)) {  // the address was a mere hint, as it is to a kernel before 4.17
    raw_syscall(SYS_munmap, result, static_cast<long>(bytes));
    return MapResult::kOccupied;
  }
  return result == kErrnoExists ? MapResult::kOccupied : MapResult::kNoMemory;
}

inline void* map_anywhere(size_t bytes) {
  if (bytes >= kAskedBytes && !would_reserve(bytes)) return nullptr;
  const long result = map(nullptr, bytes, kFlags, kPlainFlags);
  return failed(result) ? nullptr : reinterpret_cast<void*>(result);
}

inline void unmap(void* at, size_t bytes) {
  raw_syscall(SYS_munmap, pointer_argument(at), static_cast<long>(bytes));
}

inline void* resize_mapping(void* at, size_t bytes, size_t new_bytes) {
  if (new_bytes >= bytes + kAskedBytes && !would_reserve(new_bytes - bytes)) return nullptr;
  const long result = raw_syscall(SYS_mremap, pointer_argument(at), static_cast<long>(bytes),
                                  static_cast<long>(new_bytes), MREMAP_MAYMOVE);
  return failed(result) ? nullptr : reinterpret_cast<void*>(result);
}

inline bool populate(void* at, size_t bytes) { return advise(at, bytes, kMadvPopulateWrite); }
// Not among the calls of any malloc.
inline bool look_for_pages(const void* at, size_t bytes, unsigned char* resident) {
  return !is_quiet() && raw_syscall(SYS_mincore, pointer_argument(at), static_cast<long>(bytes),
                                    pointer_argument(resident)) == 0;
}
inline bool prefer_huge_pages(void* at, size_t bytes) { return advise(at, bytes, MADV_HUGEPAGE); }
inline bool discard(void* at, size_t bytes) { return advise(at, bytes, MADV_DONTNEED); }

inline bool renew(void* at, size_t bytes) {
  return !failed(map(at, bytes, kFlags | MAP_FIXED, kPlainFlags | MAP_FIXED));
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

inline bool make_writable(void* at, size_t bytes) {
  return raw_syscall(SYS_mprotect, pointer_argument(at), static_cast<long>(bytes), kProtection) ==
         0;
}

}  // namespace mmt::sys::kernel
