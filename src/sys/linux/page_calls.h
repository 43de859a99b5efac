#pragma once
// This is a part of a source, which does not compile alone.
// The kernel's side of <mmt/sys/pages.h>, with its contract. Included in a namespace by the doubles
// of that contract: Real is these calls (pages.cpp), Fake makes some of them fail.

// Present in the kernel since 5.14, 4.14 and 4.17; older headers lack the names.
constexpr int kMadvPopulateWrite = 23;
constexpr int kMadvKeepOnFork = 19;
constexpr int kMapFixedNoReplace = 0x100000;

constexpr int kProtection = PROT_READ | PROT_WRITE;
// Without reservation: the system would refuse to fork a process one of whose mappings (neighbours
// are one) is larger than its memory.
constexpr int kPlainFlags = MAP_PRIVATE | MAP_ANONYMOUS;
constexpr int kFlags = kPlainFlags | MAP_NORESERVE;
// From this size on the system is asked whether it would give so much to anybody.
constexpr size_t kAskedBytes = size_t{1} << 30;
constexpr long kErrnoPermission = -1;
constexpr long kErrnoAgain = -11;
constexpr long kErrnoNoMemory = -12;
constexpr long kErrnoAccess = -13;
constexpr long kErrnoExists = -17;
constexpr long kErrnoInvalid = -22;
constexpr long kErrnoNoCall = -38;

static bool failed(long result) { return result < 0 && result > -4096; }

// Not for want of memory or address space: a filter may have refused the flags.
static bool refused(long result) {
  return failed(result) && result != kErrnoExists && result != kErrnoNoMemory &&
         result != kErrnoAgain;
}

// mmap with the flags that suit us; where these are refused, or the process may be killed for them,
// with those of any malloc.
static MMT_ALWAYS_INLINE long map(void* at, size_t bytes, int unusual, int plain) {
  const long address = pointer_argument(at);
  const auto length = static_cast<long>(bytes);
  if (is_quiet()) return raw_syscall(SYS_mmap, address, length, kProtection, plain, -1, 0);
  const long result = raw_syscall(SYS_mmap, address, length, kProtection, unusual, -1, 0);
  return refused(result) ? raw_syscall(SYS_mmap, address, length, kProtection, plain, -1, 0)
                         : result;
}

static bool advise(void* at, size_t bytes, int advice) {
  return raw_syscall(SYS_madvise, pointer_argument(at), static_cast<long>(bytes), advice) == 0;
}

// What the system refuses to any malloc, it is to refuse to us.
static bool would_reserve(size_t bytes) {
  const long at =
      raw_syscall(SYS_mmap, 0, static_cast<long>(bytes), kProtection, kPlainFlags, -1, 0);
  if (failed(at)) return false;
  raw_syscall(SYS_munmap, at, static_cast<long>(bytes));
  return true;
}

MapResult map_at(void* at, size_t bytes) {
  if (bytes >= kAskedBytes && !would_reserve(bytes)) return MapResult::kNoMemory;
  const long result = map(at, bytes, kFlags | kMapFixedNoReplace, kPlainFlags);
  if (result == pointer_argument(at)) return MapResult::kMapped;
  if (!failed(result)) {  // the address was a mere hint, as it is to a kernel before 4.17
    raw_syscall(SYS_munmap, result, static_cast<long>(bytes));
    return MapResult::kOccupied;
  }
  return result == kErrnoExists ? MapResult::kOccupied : MapResult::kNoMemory;
}

void* map_anywhere(size_t bytes) {
  if (bytes >= kAskedBytes && !would_reserve(bytes)) return nullptr;
  const long result = map(nullptr, bytes, kFlags, kPlainFlags);
  return failed(result) ? nullptr : reinterpret_cast<void*>(result);
}

void unmap(void* at, size_t bytes) {
  raw_syscall(SYS_munmap, pointer_argument(at), static_cast<long>(bytes));
}

void* resize_mapping(void* at, size_t bytes, size_t new_bytes) {
  if (new_bytes >= bytes + kAskedBytes && !would_reserve(new_bytes - bytes)) return nullptr;
  const long result = raw_syscall(SYS_mremap, pointer_argument(at), static_cast<long>(bytes),
                                  static_cast<long>(new_bytes), MREMAP_MAYMOVE);
  return failed(result) ? nullptr : reinterpret_cast<void*>(result);
}

bool populate(void* at, size_t bytes) { return advise(at, bytes, kMadvPopulateWrite); }
// Not among the calls of any malloc.
bool look_for_pages(const void* at, size_t bytes, unsigned char* resident) {
  return !is_quiet() && raw_syscall(SYS_mincore, pointer_argument(at), static_cast<long>(bytes),
                                    pointer_argument(resident)) == 0;
}
bool prefer_huge_pages(void* at, size_t bytes) { return advise(at, bytes, MADV_HUGEPAGE); }
bool discard(void* at, size_t bytes) { return advise(at, bytes, MADV_DONTNEED); }

bool renew(void* at, size_t bytes) {
  return !failed(map(at, bytes, kFlags | MAP_FIXED, kPlainFlags | MAP_FIXED));
}

// Undoes advice only where it is not the default and changes the meaning of a page.
bool restore(void* at, size_t bytes) {
  const long start = pointer_argument(at);
  const auto length = static_cast<long>(bytes);
  if (raw_syscall(SYS_mprotect, start, length, kProtection) != 0) return false;
  raw_syscall(SYS_munlock, start, length);
  advise(at, bytes, MADV_DODUMP);
  return advise(at, bytes, MADV_DOFORK) && advise(at, bytes, kMadvKeepOnFork);
}

bool make_writable(void* at, size_t bytes) {
  return raw_syscall(SYS_mprotect, pointer_argument(at), static_cast<long>(bytes), kProtection) ==
         0;
}
