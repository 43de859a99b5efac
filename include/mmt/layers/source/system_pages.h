// The calls by which layers get memory from the system, and give it back. They are a policy of each
// layer, so that a test can have others in their place that fail. All sizes are bytes; where a call
// fails, errno says why. Any thread, but for the break, which needs a lock beside others' use of
// it.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace mmt::layers {

struct SystemPages {
  // Private pages that read as zero. `flags` are further ones, such as MAP_NORESERVE. nullptr: it
  // was refused.
  static void* map(void* at, size_t bytes, int protection, int flags = 0) {
    void* const place = ::mmap(at, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return place == MAP_FAILED ? nullptr : place;
  }
  static void unmap(void* at, size_t bytes) { ::munmap(at, bytes); }
  // Gives a mapping another length, with MREMAP_MAYMOVE elsewhere. nullptr: it is as it was.
  static void* resize(void* at, size_t before, size_t bytes, int flags) {
    void* const place = ::mremap(at, before, bytes, flags);
    return place == MAP_FAILED ? nullptr : place;
  }
  static bool protect(void* at, size_t bytes, int protection) {
    return ::mprotect(at, bytes, protection) == 0;
  }
  // The memory of whole pages goes back, and they stay mapped: they read as zero. With MADV_FREE it
  // goes when the system needs it. False: it stays.
  static bool discard(void* at, size_t bytes, int advice = MADV_DONTNEED) {
    return ::madvise(at, bytes, advice) == 0;
  }
  static char* program_break() { return static_cast<char*>(::sbrk(0)); }
  // Moves the program break up; where it was, nullptr: it could not be moved.
  static char* raise_break(size_t by) {
    void* const before = ::sbrk(static_cast<intptr_t>(by));
    return before == reinterpret_cast<void*>(-1) ? nullptr : static_cast<char*>(before);
  }
  static bool set_break(char* to) { return ::brk(to) == 0; }
};

}  // namespace mmt::layers
