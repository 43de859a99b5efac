// A timer signal every 20 us interrupts a loop of allocations; the handler allocates and frees too.
// @only mmt protocol
// @soak 600

#include "support/signal_storm.h"

static struct Storm here;

int main(int argc, char** argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 3;
  storm_install(0);
  storm_start(&here, 1, 20000);
  long rounds = storm_victim(&here, seconds, 2);
  storm_stop(&here);
  printf("%ld rounds, %ld signals\n", rounds, here.signals);
  EXPECT(here.signals > 500, "%ld", here.signals);
  return 0;
}
