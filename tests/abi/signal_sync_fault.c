// A SIGSEGV handler of the program, on an alternate stack, allocates and leaves by siglongjmp, as
// language runtimes do. The library takes no signal for itself.

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include "support/pattern.h"

static sigjmp_buf out;
static void* kept[2000];
static volatile int faults = 0;

static void handler(int signal_number) {
  (void)signal_number;
  kept[faults % 2000] = malloc(300);
  fill_pattern(kept[faults % 2000], 300, 1);
  faults = faults + 1;
  siglongjmp(out, 1);
}

int main(void) {
  for (int s = 1; s < NSIG; ++s) {
    struct sigaction now;
    if (sigaction(s, NULL, &now) == 0)
      EXPECT(now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN, "signal %d", s);
  }
  stack_t alternate = {.ss_size = 65536};
  alternate.ss_sp = malloc(alternate.ss_size);
  EXPECT(sigaltstack(&alternate, NULL) == 0);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  EXPECT(sigaction(SIGSEGV, &action, NULL) == 0);
  char* bad = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (volatile int i = 0; i < 2000; i = i + 1) {
    if (sigsetjmp(out, 1) == 0) {
      *(volatile char*)bad = 1;
      EXPECT(false);
    }
    free(malloc((size_t)i * 3));
  }
  EXPECT(faults == 2000);
  for (int i = 0; i < 2000; ++i) {
    check_pattern(kept[i], 300, 1);
    free(kept[i]);
  }
  return 0;
}
