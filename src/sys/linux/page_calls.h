#pragma once
// The kernel's side of <mmt/sys/pages.h>: the same calls, with the same contract. For the doubles
// of that contract only.
#include <sys/mman.h>

#include <cstring>

#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::sys::kernel {

// Present in the kernel since 5.14, 5.7 and 4.14; older headers lack the names.
inline constexpr int kMadvPopulateWrite = 23;
inline constexpr int kMremapDontUnmap = 4;
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
inline constexpr long kErrnoFault = -14;
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

inline MoveResult move_result(long result) {
  if (!failed(result)) return MoveResult::kMoved;
  // What a kernel without a flag, or a filter, says before anything is done.
  const bool untouched = result == kErrnoPermission || result == kErrnoAccess ||
                         result == kErrnoInvalid || result == kErrnoNoCall;
  return untouched ? MoveResult::kRefused : MoveResult::kFailed;
}

// Neither move is among the calls of any malloc.
inline MoveResult move_pages(void* from, void* to, size_t bytes) {
  if (is_quiet()) return MoveResult::kRefused;
  const auto length = static_cast<long>(bytes);
  return move_result(raw_syscall(SYS_mremap, pointer_argument(from), length, length,
                                 MREMAP_MAYMOVE | MREMAP_FIXED | kMremapDontUnmap,
                                 pointer_argument(to)));
}

inline MoveResult move_mapping(void* from, size_t bytes, void* to, size_t new_bytes) {
  if (is_quiet()) return MoveResult::kRefused;
  return move_result(raw_syscall(SYS_mremap, pointer_argument(from), static_cast<long>(bytes),
                                 static_cast<long>(new_bytes), MREMAP_MAYMOVE | MREMAP_FIXED,
                                 pointer_argument(to)));
}

// Without kMremapDontUnmap, with which the kernel counts locked pages wrongly.
inline long move_page(char* from, char* to) {
  return raw_syscall(SYS_mremap, pointer_argument(from), static_cast<long>(kPageSize),
                     static_cast<long>(kPageSize), MREMAP_MAYMOVE | MREMAP_FIXED,
                     pointer_argument(to));
}

// A page that could not be moved: what the kernel has unmapped all the same is mapped again. A hole
// needs no more, else the page is copied.
inline bool make_up_for(long result, char* from, char* to) {
  const MapResult mapped = map_at(to, kPageSize);
  if (result == kErrnoFault) return mapped != MapResult::kNoMemory;
  if (mapped != MapResult::kMapped) return false;
  memcpy(to, from, kPageSize);
  unmap(from, kPageSize);
  return true;
}

inline MoveResult move_by_pages(void* from, void* to, size_t bytes) {
  if (is_quiet()) return MoveResult::kRefused;
  auto* const source = static_cast<char*>(from);
  auto* const target = static_cast<char*>(to);
  for (size_t at = 0; at < bytes; at += kPageSize) {
    const long result = move_page(source + at, target + at);
    if (!failed(result) || make_up_for(result, source + at, target + at)) continue;
    for (; at != 0; at -= kPageSize) {
      char* const back = source + at - kPageSize;
      if (map_at(back, kPageSize) == MapResult::kMapped) move_page(target + at - kPageSize, back);
    }
    return MoveResult::kRefused;
  }
  return MoveResult::kMoved;
}

inline bool make_writable(void* at, size_t bytes) {
  return raw_syscall(SYS_mprotect, pointer_argument(at), static_cast<long>(bytes), kProtection) ==
         0;
}

}  // namespace mmt::sys::kernel
