// Blocks that were registered with userfaultfd are forgotten by it when they are freed: the next
// owner's first touch is nobody's fault to handle.
// @root
// @only mmt

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "support/processes.h"

enum { kPage = 4096, kHeld = 16 };

// By libc's ioctl, by a raw call through libc, or past libc.
static long call_ioctl(int way, int file, unsigned long request, void* argument) {
  if (way == 0) return ioctl(file, request, argument);
  if (way == 1) return syscall(SYS_ioctl, file, request, argument);
#if defined(__x86_64__)
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"((long)SYS_ioctl), "D"((long)file), "S"(request), "d"(argument)
                   : "rcx", "r11", "memory");
  return result;
#else
  return ioctl(file, request, argument);
#endif
}

static void register_and_free(int way, size_t bytes) {
  const int file = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
  if (file < 0) {
    fputs("changed pages cannot be watched\n", stderr);
    _exit(77);
  }
  struct uffdio_api api = {.api = UFFD_API};
  EXPECT(ioctl(file, UFFDIO_API, &api) == 0);
  char* blocks[kHeld];
  for (int i = 0; i < kHeld; ++i) {
    EXPECT(posix_memalign((void**)&blocks[i], kPage, bytes) == 0);
    struct uffdio_register what = {.range = {(uintptr_t)blocks[i], bytes},
                                   .mode = UFFDIO_REGISTER_MODE_MISSING};
    EXPECT(madvise(blocks[i], bytes, MADV_DONTNEED) == 0);
    EXPECT(call_ioctl(way, file, UFFDIO_REGISTER, &what) == 0);
  }
  for (int i = 0; i < kHeld; ++i) free(blocks[i]);
  for (int i = 0; i < kHeld; ++i) {
    EXPECT(posix_memalign((void**)&blocks[i], kPage, bytes) == 0);
    memset(blocks[i], 1, bytes);
  }
  for (int i = 0; i < kHeld; ++i) free(blocks[i]);
  close(file);
}

struct step {
  int way;
  size_t bytes;
};

static void run(void* arg) {
  const struct step* step = arg;
  register_and_free(step->way, step->bytes);
}

int main(void) {
  static const struct step kSteps[] = {{0, 16 << 10}, {0, 200 << 10}, {0, 1 << 20},
                                       {1, 16 << 10}, {1, 1 << 20},   {2, 1 << 20}};
  for (size_t i = 0; i < sizeof kSteps / sizeof kSteps[0]; ++i) {
    const int status = wait_status(fork_child(run, (void*)&kSteps[i]), 20);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return 77;
    EXPECT(status == 0, "step %zu: child status %#x", i, (unsigned)status);
  }
  return 0;
}
