// The OS contract for memory, on Linux. Real double: used by every shipped binary.
#include <sys/mman.h>

#include <mmt/sys/pages.h>
#include <mmt/sys/syscall.h>

namespace mmt::sys {
namespace {

// Present in the kernel since 5.14 and 5.7; older headers lack the names.
constexpr int kMadvPopulateWrite = 23;
constexpr int kMremapDontUnmap = 4;
constexpr int kMapFixedNoReplace = 0x100000;

constexpr int kProtection = PROT_READ | PROT_WRITE;
constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
constexpr long kErrnoExists = -17;

bool failed(long result) { return result < 0 && result > -4096; }

bool advise(void* at, size_t bytes, int advice) {
  return raw_syscall(SYS_madvise, pointer_argument(at), static_cast<long>(bytes), advice) == 0;
}

}  // namespace

MapResult map_at(void* at, size_t bytes) {
  const long result = raw_syscall(SYS_mmap, pointer_argument(at), static_cast<long>(bytes),
                                  kProtection, kFlags | kMapFixedNoReplace, -1, 0);
  if (result == pointer_argument(at)) return MapResult::kMapped;
  if (!failed(result)) {  // a kernel before 4.17 takes the address as a mere hint
    raw_syscall(SYS_munmap, result, static_cast<long>(bytes));
    return MapResult::kOccupied;
  }
  return result == kErrnoExists ? MapResult::kOccupied : MapResult::kNoMemory;
}

void* map_anywhere(size_t bytes) {
  const long result =
      raw_syscall(SYS_mmap, 0, static_cast<long>(bytes), kProtection, kFlags, -1, 0);
  return failed(result) ? nullptr : reinterpret_cast<void*>(result);
}

void unmap(void* at, size_t bytes) {
  raw_syscall(SYS_munmap, pointer_argument(at), static_cast<long>(bytes));
}

bool populate(void* at, size_t bytes) { return advise(at, bytes, kMadvPopulateWrite); }
bool prefer_huge_pages(void* at, size_t bytes) { return advise(at, bytes, MADV_HUGEPAGE); }
bool discard(void* at, size_t bytes) { return advise(at, bytes, MADV_DONTNEED); }

bool renew(void* at, size_t bytes) {
  return !failed(raw_syscall(SYS_mmap, pointer_argument(at), static_cast<long>(bytes), kProtection,
                             kFlags | MAP_FIXED, -1, 0));
}

bool move_pages(void* from, void* to, size_t bytes) {
  return !failed(raw_syscall(
      SYS_mremap, pointer_argument(from), static_cast<long>(bytes), static_cast<long>(bytes),
      MREMAP_MAYMOVE | MREMAP_FIXED | kMremapDontUnmap, pointer_argument(to)));
}

}  // namespace mmt::sys
