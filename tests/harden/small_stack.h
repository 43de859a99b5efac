#pragma once
// Alternate stacks of the size that programs took before CPUs had wide registers.
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "harden/case.h"

enum { kSmallStack = 8192 };

// Where the CPU's registers do not leave half of it, the test is of nothing: the size grows.
static inline void raise_on_small_stack(void (*handler)(int)) {
  const size_t least = getauxval(AT_MINSIGSTKSZ) + kSmallStack / 2;
  const size_t bytes = least > kSmallStack ? (least + 4095) & ~(size_t)4095 : kSmallStack;
  char* const place =
      mmap(NULL, bytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(place, 4096, PROT_NONE);
  const stack_t stack = {.ss_sp = place + 4096, .ss_size = bytes};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
}
