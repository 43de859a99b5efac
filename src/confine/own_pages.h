#pragma once
// This is a part of a source, which does not compile alone.
// Calls that change pages, and who watches them. Each name forwards in one line. Included once in a
// library, where mmt::confine::PageOwner has been defined (page_owner.h), and SeenCalls of it.
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <mmt/core/compiler.h>

#include "confine/page_calls.h"
#include "names/forward.h"
#include "sys/linux/libc_function.h"

namespace {

template <class Argument>
long argument_of(Argument argument) {
  if constexpr (std::is_pointer_v<Argument>)
    return reinterpret_cast<long>(argument);
  else
    return static_cast<long>(argument);
}

template <class... Arguments>
void note_call(long number, Arguments... arguments) {
  mmt::confine::SeenCalls::note({number, {argument_of(arguments)...}});
}

// The call is noted and goes on; before the relocation (early.h), when nothing is ours yet, to the
// kernel.
template <class Result, mmt::names::Name kName, class... Arguments>
Result seen(long number, Arguments... arguments) {
  if (mmt::names::is_early()) {
    return mmt::names::as_result<Result>(mmt::sys::raw_syscall(number, argument_of(arguments)...));
  }
  note_call(number, arguments...);
  return mmt::names::forward<Result, kName>(arguments...);
}

}  // namespace

MMT_EXPORT void* mmap(void* at, size_t bytes, int protection, int flags, int file,
                      off_t offset) noexcept {
  return seen<void*, "mmap">(SYS_mmap, at, bytes, protection, flags, file, offset);
}
MMT_EXPORT void* mmap64(void* at, size_t bytes, int protection, int flags, int file,
                        off64_t offset) noexcept {
  return seen<void*, "mmap64">(SYS_mmap, at, bytes, protection, flags, file, offset);
}
MMT_EXPORT int munmap(void* at, size_t bytes) noexcept {
  return seen<int, "munmap">(SYS_munmap, at, bytes);
}
// What the caller did not pass is passed on as it was found.
MMT_EXPORT void* mremap(void* at, size_t bytes, size_t wanted, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  void* const to = va_arg(list, void*);
  va_end(list);
  return seen<void*, "mremap">(SYS_mremap, at, bytes, wanted, flags, to);
}
MMT_EXPORT int madvise(void* at, size_t bytes, int advice) noexcept {
  return seen<int, "madvise">(SYS_madvise, at, bytes, advice);
}
MMT_EXPORT ssize_t process_madvise(int process, const iovec* pieces, size_t count, int advice,
                                   unsigned flags) noexcept {
  return seen<ssize_t, "process_madvise">(mmt::confine::kSysProcessMadvise, process, pieces, count,
                                          advice, flags);
}
MMT_EXPORT int mprotect(void* at, size_t bytes, int protection) noexcept {
  return seen<int, "mprotect">(SYS_mprotect, at, bytes, protection);
}
MMT_EXPORT int pkey_mprotect(void* at, size_t bytes, int protection, int key) noexcept {
  return seen<int, "pkey_mprotect">(SYS_pkey_mprotect, at, bytes, protection, key);
}
MMT_EXPORT int mlock(const void* at, size_t bytes) noexcept {
  return seen<int, "mlock">(SYS_mlock, at, bytes);
}
MMT_EXPORT int mlock2(const void* at, size_t bytes, unsigned flags) noexcept {
  return seen<int, "mlock2">(SYS_mlock2, at, bytes, flags);
}
MMT_EXPORT int mlockall(int flags) noexcept { return seen<int, "mlockall">(SYS_mlockall, flags); }
MMT_EXPORT int munlockall() noexcept { return seen<int, "munlockall">(SYS_munlockall); }
MMT_EXPORT int remap_file_pages(void* at, size_t bytes, int protection, size_t page,
                                int flags) noexcept {
  return seen<int, "remap_file_pages">(SYS_remap_file_pages, at, bytes, protection, page, flags);
}
MMT_EXPORT void* shmat(int segment, const void* at, int flags) noexcept {
  return seen<void*, "shmat">(SYS_shmat, segment, at, flags);
}
MMT_EXPORT int ioctl(int file, unsigned long request, ...) noexcept {
  va_list list;
  va_start(list, request);
  void* const argument = va_arg(list, void*);
  va_end(list);
  return seen<int, "ioctl">(SYS_ioctl, file, request, argument);
}

// --- who watches ---

extern "C" {

// Our own, whoever stands before us.
[[gnu::alias("munmap"), gnu::visibility("hidden")]] decltype(munmap) mmt_munmap;
[[gnu::alias("madvise"), gnu::visibility("hidden")]] decltype(madvise) mmt_madvise;
[[gnu::alias("mremap"), gnu::visibility("hidden")]] decltype(mremap) mmt_mremap;
}

namespace {

// The first bytes of a definition, which a jump to a hook is written over.
class Prologue {
 public:
  void remember(const void* code) {
    code_ = static_cast<const unsigned char*>(code);
    if (code_ == nullptr) return;
    memcpy(at_load_, code_, sizeof at_load_);
    jumps_at_load_ = is_jump();
  }
  bool is_patched() const {
    return code_ != nullptr && (jumps_at_load_ || memcmp(code_, at_load_, sizeof at_load_) != 0);
  }

 private:
  bool is_jump() const {
    static constexpr unsigned char kLandingPad[] = {0xf3, 0x0f, 0x1e, 0xfa};
    const unsigned char* at = code_;
    if (memcmp(at, kLandingPad, sizeof kLandingPad) == 0) at += sizeof kLandingPad;
    const auto pair = [at](unsigned char first, unsigned char second) {
      return at[0] == first && at[1] == second;
    };
    // jmp near and short, int3, push; jmp *; mov to rax or r11, as comes before a jmp to it.
    return at[0] == 0xe9 || at[0] == 0xeb || at[0] == 0xcc || at[0] == 0x68 || pair(0xff, 0x25) ||
           pair(0x48, 0xb8) || pair(0x49, 0xbb);
  }

  const unsigned char* code_ = nullptr;
  unsigned char at_load_[16] = {};
  bool jumps_at_load_ = false;
};

// One name: where calls of it go to, and the definitions on the way, ours and the next.
class WatchedName {
 public:
  void remember(const void* ours, const char* name) {
    ours_ = ours;
    const void* const next = mmt::names::next_definition(name);
    void* const libcs = mmt::sys::libc_function(name);
    has_another_ = libcs != nullptr && next != mmt::names::libc_names.original_of(libcs);
    own_.remember(ours);
    next_.remember(next);
  }
  bool is_watched(const void* called) const {
    return ours_ != nullptr &&
           (called != ours_ || has_another_ || own_.is_patched() || next_.is_patched());
  }

 private:
  const void* ours_ = nullptr;
  bool has_another_ = false;
  Prologue own_;
  Prologue next_;
};

constinit WatchedName watched_munmap, watched_madvise, watched_mremap;

// As the table of offsets has it now: that may be patched, too.
template <class Function>
const void* called_now(Function* function) {
  asm volatile("" : "+r"(function));
  return reinterpret_cast<const void*>(function);
}

bool munmap_is_watched() { return watched_munmap.is_watched(called_now(munmap)); }
bool madvise_is_watched() { return watched_madvise.is_watched(called_now(madvise)); }

bool pages_are_watched() {
  return munmap_is_watched() || madvise_is_watched() ||
         watched_mremap.is_watched(called_now(mremap));
}

// It goes by the names, and so by those that watch.
bool discard_watched(void* at, size_t bytes) {
  if (!madvise_is_watched()) return false;
  const int saved = errno;
  const bool done = madvise(at, bytes, MADV_DONTNEED) == 0;
  errno = saved;
  return done;
}

bool unmap_watched(void* at, size_t bytes) {
  if (!munmap_is_watched()) return false;
  const int saved = errno;
  munmap(at, bytes);
  errno = saved;
  return true;
}

// Before libc's constructor, which a dlopen would run, without the program's arguments.
__attribute__((constructor(101))) void watch_names() {
  watched_munmap.remember(reinterpret_cast<const void*>(mmt_munmap), "munmap");
  watched_madvise.remember(reinterpret_cast<const void*>(mmt_madvise), "madvise");
  watched_mremap.remember(reinterpret_cast<const void*>(mmt_mremap), "mremap");
  mmt::confine::PageOwner::watch(pages_are_watched, discard_watched, unmap_watched);
}

}  // namespace
