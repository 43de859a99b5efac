// A program write-protects pages of its own block, and its handler makes them writable as they are
// written, as a garbage collector does.
// sizes: 16384 1048576 8388608
// expect: ok
#include <signal.h>
#include <sys/mman.h>

#include "harden/case.h"

enum { kPage = 4096 };
static volatile sig_atomic_t faults;

static void on_fault(int number, siginfo_t* info, void* context) {
  (void)number;
  (void)context;
  faults = faults + 1;
  if (mprotect((void*)((uintptr_t)info->si_addr & ~(uintptr_t)(kPage - 1)), kPage,
               PROT_READ | PROT_WRITE) != 0)
    _exit(4);
}

int main(int argc, char** argv) {
  const size_t bytes = bytes_of(argc, argv);
  struct sigaction action = {0};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, NULL);
  void* block = NULL;
  if (posix_memalign(&block, kPage, bytes) != 0) return 3;
  if (mprotect(block, bytes / 2, PROT_READ) != 0) return 3;
  volatile char* const at = block;
  at[0] = 1;
  at[bytes / 2 - 1] = 1;
  at[bytes - 1] = 1;
  mprotect(block, bytes / 2, PROT_READ | PROT_WRITE);
  free(block);
  return end_if(faults == 2);
}
