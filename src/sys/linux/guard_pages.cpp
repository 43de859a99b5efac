#include <sys/mman.h>

#include <atomic>

#include <mmt/sys/guard_pages.h>
#include <mmt/sys/syscall.h>

namespace mmt::sys {
namespace {

constexpr int kGuardInstall = 102;  // MADV_GUARD_INSTALL
constexpr int kGuardRemove = 103;   // MADV_GUARD_REMOVE

// By protection each guard makes two mappings more; the default limit of a process is 65530.
constexpr uint32_t kMostByProtection = 4096;

// Relaxed: found out to be so by whoever asks.
constinit std::atomic<bool> are_unknown{false};
constinit std::atomic<uint32_t> by_protection{0};

long advise(void* at, size_t bytes, int advice) {
  return raw_syscall(SYS_madvise, pointer_argument(at), static_cast<long>(bytes), advice);
}
long protect(void* at, size_t bytes, int protection) {
  return raw_syscall(SYS_mprotect, pointer_argument(at), static_cast<long>(bytes), protection);
}

}  // namespace

bool install_guard(void* at, size_t bytes) {
  if (!are_unknown.load(std::memory_order_relaxed)) {
    if (advise(at, bytes, kGuardInstall) == 0) return true;
    are_unknown.store(true, std::memory_order_relaxed);
  }
  if (by_protection.fetch_add(1, std::memory_order_relaxed) < kMostByProtection &&
      advise(at, bytes, MADV_DONTNEED) == 0 && protect(at, bytes, PROT_NONE) == 0)
    return true;
  by_protection.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

void remove_guard(void* at, size_t bytes) {
  advise(at, bytes, kGuardRemove);
  if (!are_unknown.load(std::memory_order_relaxed)) return;
  protect(at, bytes, PROT_READ | PROT_WRITE);
  by_protection.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace mmt::sys
