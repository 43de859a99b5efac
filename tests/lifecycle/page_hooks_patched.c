// A program that patches munmap, madvise and mremap is told of every page that the heap loses. The
// patched functions are libc's, or those that calls find first.
// @only mmt
// @env MMT_DECAY=50

#include <dlfcn.h>
#include <stdio.h>

#include "lifecycle/page_watch.h"

#if defined(__x86_64__)

static long hook_munmap(void* at, size_t bytes) {
  note_loss(at, bytes);
  return syscall(SYS_munmap, at, bytes);
}
static long hook_madvise(void* at, size_t bytes, int advice) {
  if (advice == MADV_DONTNEED) note_loss(at, bytes);
  return syscall(SYS_madvise, at, bytes, advice);
}
static void* hook_mremap(void* at, size_t bytes, size_t wanted, int flags, void* to) {
  note_loss(at, bytes);
  return (void*)syscall(SYS_mremap, at, bytes, wanted, flags, to);
}

// mov hook, rax; jmp *rax
static void patch(void* where, const char* name, void* hook) {
  unsigned char code[12] = {0x48, 0xb8, [10] = 0xff, 0xe0};
  unsigned char* at = dlsym(where, name);
  EXPECT(at != NULL, "%s", name);
  memcpy(code + 2, &hook, sizeof hook);
  void* page = (void*)((uintptr_t)at & ~(uintptr_t)(kWatchPage - 1));
  if (mprotect(page, 2 * kWatchPage, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
    fputs("code may not be changed\n", stderr);
    _exit(77);
  }
  memcpy(at, code, sizeof code);
}

static void run(void* where) {
  patch(where, "munmap", (void*)hook_munmap);
  patch(where, "madvise", (void*)hook_madvise);
  patch(where, "mremap", (void*)hook_mremap);
  use_watched_heap();
  EXPECT(watch_unseen_pages == 0, "%ld pages lost unseen", watch_unseen_pages);
  EXPECT(watch_seen_pages != 0 && watch_loss_count != 0, "malloc_trim gives back what is free");
  free_much();
}

int main(void) {
  void* libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  EXPECT(libc != NULL);
  void* const kWhere[] = {libc, RTLD_DEFAULT};
  for (int i = 0; i < 2; ++i) {
    const int status = wait_status(fork_child(run, kWhere[i]), 30);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return 77;
    EXPECT(status == 0, "place %d: child status %#x", i, (unsigned)status);
  }
  return 0;
}

#else

int main(void) { return 77; }

#endif
