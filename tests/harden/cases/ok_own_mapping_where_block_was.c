// A program maps something of its own where a freed block was, and lets writes to it fault.
// sizes: huge
// expect: ok
#include <signal.h>
#include <sys/mman.h>

#include "harden/case.h"

enum { kPage = 4096 };
static char* own;
static volatile int faults;

static void on_write(int number) {
  (void)number;
  ++faults;
  mprotect(own, kPage, PROT_READ | PROT_WRITE);
}

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  p[0] = 1;
  free(p);
  own = mmap(p, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  signal(SIGSEGV, on_write);
  *(volatile char*)own = 'x';
  return end_if(faults == 1);
}
