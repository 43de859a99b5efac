#include "unit/layers/conformance/system_memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include <mmt/core/checked.h>

#include "unit/layers/conformance/fault_plan.h"

namespace mmt::layers::conformance {
namespace {

std::atomic<size_t> mapped{0};

size_t pages(size_t bytes) { return core::align_up(bytes, 4096); }

// Those of the C library, or of a sanitizer that stands before it.
struct Calls {
  void* (*mmap)(void*, size_t, int, int, int, off_t);
  int (*munmap)(void*, size_t);
  void* (*mremap)(void*, size_t, size_t, int, ...);
};
// Null before the constructors run, when a sanitizer may not be ready for anything yet.
Calls next;

template <class Function>
void find_next(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
__attribute__((constructor)) void find_all() {
  find_next(next.munmap, "munmap");
  find_next(next.mremap, "mremap");
  find_next(next.mmap, "mmap");
}

class Break {
 public:
  static constexpr size_t kMost = size_t{64} << 20;

  char* now() const { return begin_ + used_; }
  size_t used() const { return used_; }
  bool move_to(const char* end) {
    if (end < begin_ || end > begin_ + kMost) return false;
    const auto used = static_cast<size_t>(end - begin_);
    // What is taken again reads as zero.
    if (used < used_) {
      const size_t kept = pages(used);
      if (kept < used_) madvise(begin_ + kept, used_ - kept, MADV_DONTNEED);
    }
    used_ = used;
    return true;
  }

  static Break& process() {
    static Break one;
    return one;
  }

 private:
  Break()
      : begin_(static_cast<char*>(next.mmap(nullptr, kMost, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {}

  char* begin_;
  size_t used_ = 0;
};

}  // namespace

size_t mapped_bytes() { return mapped; }
size_t break_bytes() { return Break::process().used(); }
void reset_break() {
  Break& end = Break::process();
  end.move_to(end.now() - end.used());
}

}  // namespace mmt::layers::conformance

using namespace mmt::layers::conformance;

// Not instrumented: a sanitizer calls them itself before it is ready.
extern "C" {

__attribute__((no_sanitize("thread"))) void* mmap(void* at, size_t bytes, int protection, int flags,
                                                  int file, off_t offset) noexcept {
  if (next.mmap == nullptr) {
    return reinterpret_cast<void*>(syscall(SYS_mmap, at, bytes, protection, flags, file, offset));
  }
  // Within what is reserved: neither a call for memory that may fail here, nor more of it.
  if ((flags & MAP_FIXED) != 0) return next.mmap(at, bytes, protection, flags, file, offset);
  if (call_fails()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  void* const result = next.mmap(at, bytes, protection, flags, file, offset);
  if (result != MAP_FAILED) mapped += pages(bytes);
  return result;
}

__attribute__((no_sanitize("thread"))) int munmap(void* at, size_t bytes) noexcept {
  if (next.mmap == nullptr) return static_cast<int>(syscall(SYS_munmap, at, bytes));
  const int result = next.munmap(at, bytes);
  if (result == 0) mapped -= pages(bytes);
  return result;
}

void* mremap(void* at, size_t before, size_t after, int flags, ...) noexcept {
  if (after > before && call_fails()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  void* target = nullptr;
  if ((flags & MREMAP_FIXED) != 0) {
    va_list arguments;
    va_start(arguments, flags);
    target = va_arg(arguments, void*);
    va_end(arguments);
  }
  void* const result = next.mremap(at, before, after, flags, target);
  if (result != MAP_FAILED) mapped += pages(after) - pages(before);
  return result;
}

void* sbrk(intptr_t by) noexcept {
  Break& end = Break::process();
  char* const before = end.now();
  const bool is_absurd = by > static_cast<intptr_t>(Break::kMost);
  if (by > 0 && (is_absurd || call_fails())) {
    errno = ENOMEM;
    return reinterpret_cast<void*>(-1);
  }
  if (end.move_to(before + by)) return before;
  errno = ENOMEM;
  return reinterpret_cast<void*>(-1);
}

int brk(void* to) noexcept {
  if (Break::process().move_to(static_cast<char*>(to))) return 0;
  errno = ENOMEM;
  return -1;
}

}  // extern "C"
