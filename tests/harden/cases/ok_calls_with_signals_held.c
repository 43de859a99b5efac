// All signals are blocked amid calls that change pages, the heap's counts, or the process.
// sizes: small page 300000
// expect: ok
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "harden/case.h"

enum { kBytes = 3 << 20, kPage = 4096, kForks = 6 };
static size_t bytes;

static void* use_heap(void* unused) {
  enum { kBlocks = 100 };
  void* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) blocks[i] = malloc(bytes + (size_t)i);
  for (int i = 0; i < kBlocks; ++i) free(realloc(blocks[i], bytes + 1000));
  return unused;
}

static void change_pages(void) {
  const int both = PROT_READ | PROT_WRITE;
  char* const block = memset(malloc(kBytes), 1, kBytes);
  char* const page = block + kPage - (uintptr_t)block % kPage;
  madvise(page, 1 << 20, MADV_DONTNEED);
  mprotect(page, 2 * kPage, PROT_READ);
  mprotect(page, 2 * kPage, both);
  mmap(page + 16 * kPage, 16 * kPage, both, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  mlock(page, kPage);
  munlock(page, kPage);
  free(block);
}

static void ask(void) {
  malloc_trim(0);
  volatile size_t used = mallinfo2().uordblks;
  (void)used;
  FILE* const nowhere = fopen("/dev/null", "w");
  malloc_info(0, nowhere);
  fclose(nowhere);
}

static bool run_child(int number) {
  const pid_t child = fork();
  if (child == 0) {
    use_heap(NULL);
    number % 2 == 0 ? exit(0) : _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

int main(int argc, char** argv) {
  bytes = bytes_of(argc, argv);
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  change_pages();
  ask();
  if (setuid(getuid()) != 0) return 3;
  for (int i = 0; i < kForks; ++i) {
    in_thread(use_heap, NULL);
    if (!run_child(i)) return 2;
  }
  return end();
}
