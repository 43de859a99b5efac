// A program that patches libc's munmap and mremap is told of each block whose pages the allocator
// behind us gives back.
// @only protocol

#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "support/processes.h"

#if defined(__x86_64__)

enum { kPage = 4096, kBlocks = 64, kBytes = 1 << 20, kMostLosses = 4096 };

static struct { uintptr_t start, end; } losses[kMostLosses];
static int loss_count;

static void note(const void* start, size_t bytes) {
  const int i = __atomic_fetch_add(&loss_count, 1, __ATOMIC_RELAXED);
  EXPECT(i < kMostLosses);
  losses[i].start = (uintptr_t)start;
  losses[i].end = (uintptr_t)start + bytes;
}
static bool was_told(const char* page) {
  for (int i = 0; i < loss_count; ++i)
    if ((uintptr_t)page >= losses[i].start && (uintptr_t)page < losses[i].end) return true;
  return false;
}

static long hook_munmap(void* at, size_t bytes) {
  note(at, bytes);
  return syscall(SYS_munmap, at, bytes);
}
static void* hook_mremap(void* at, size_t bytes, size_t wanted, int flags, void* to) {
  note(at, bytes);
  return (void*)syscall(SYS_mremap, at, bytes, wanted, flags, to);
}

// mov hook, rax; jmp *rax
static void patch(void* libc, const char* name, void* hook) {
  unsigned char code[12] = {0x48, 0xb8, [10] = 0xff, 0xe0};
  unsigned char* at = dlsym(libc, name);
  EXPECT(at != NULL, "%s", name);
  memcpy(code + 2, &hook, sizeof hook);
  void* page = (void*)((uintptr_t)at & ~(uintptr_t)(kPage - 1));
  if (mprotect(page, 2 * kPage, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
    fputs("code may not be changed\n", stderr);
    exit(77);
  }
  memcpy(at, code, sizeof code);
}

int main(void) {
  void* libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  EXPECT(libc != NULL);
  patch(libc, "munmap", (void*)hook_munmap);
  patch(libc, "mremap", (void*)hook_mremap);
  static char* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) memset(blocks[i] = malloc(kBytes), 1, kBytes);
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  usleep(200000);
  for (int i = 0; i < kBlocks; ++i) {
    char* page = (char*)(((uintptr_t)blocks[i] + kBytes / 2) & ~(uintptr_t)(kPage - 1));
    const bool is_lost = msync(page, kPage, MS_ASYNC) != 0;
    EXPECT(!is_lost || was_told(page), "block %d", i);
  }
  return 0;
}

#else

int main(void) { return 77; }

#endif
