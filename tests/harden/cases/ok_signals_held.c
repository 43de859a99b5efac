// Threads block all signals, ignore a fault's, or handle it past libc: the heap serves them.
// sizes: small page 30000 300000
// expect: ok
#include <signal.h>
#include <sys/syscall.h>

#include "harden/case.h"

static size_t bytes;

static void use_heap(void) {
  enum { kBlocks = 300 };
  void* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) blocks[i] = malloc(bytes + (size_t)i);
  for (int i = 0; i < kBlocks; ++i) free(realloc(blocks[i], bytes + 1000));
}

static void* hold_all(void* unused) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  use_heap();
  return unused;
}

static void nothing(int number) { (void)number; }

int main(int argc, char** argv) {
  bytes = bytes_of(argc, argv);
  use_heap();
  in_thread(hold_all, NULL);
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, hold_all, NULL);
  use_heap();
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  signal(SIGSEGV, SIG_IGN);
  use_heap();
  signal(SIGSEGV, SIG_DFL);
  use_heap();
  struct {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask;
  } raw = {nothing, 0, NULL, 0};
  if (syscall(SYS_rt_sigaction, SIGSEGV, &raw, NULL, 8) != 0) return 3;
  use_heap();
  return end();
}
