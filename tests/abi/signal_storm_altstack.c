// The same on an alternate signal stack, with the interrupted thread's stack out of reach.
// @only mmt protocol

#include <sys/mman.h>

#include "support/signal_storm.h"

static struct Storm here;

int main(void) {
  stack_t alternate = {0};
  alternate.ss_size = 65536;
  alternate.ss_sp =
      mmap(NULL, alternate.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(sigaltstack(&alternate, NULL) == 0);
  storm_install(SA_ONSTACK);
  storm_start(&here, 3, 20000);
  storm_victim(&here, 2, 4);
  storm_stop(&here);
  EXPECT(here.signals > 300, "%ld", here.signals);
  return 0;
}
