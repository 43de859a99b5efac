// A program that sleeps uses no CPU, whatever it has allocated and freed before. Once its free
// memory and what its idle threads hold have gone back, this holds all the time, not now and then.

#include <sys/resource.h>

#include "support/pattern.h"

enum { kBlocks = 200000, kSettled = 4, kQuiet = 4 };

static double cpu_seconds(void) {
  struct rusage usage;
  EXPECT(getrusage(RUSAGE_SELF, &usage) == 0);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

int main(void) {
  static void* blocks[kBlocks];
  for (size_t i = 0; i < kBlocks; ++i) {
    size_t size = 16 + i * 37 % 2000;
    blocks[i] = malloc(size);
    fill_pattern(blocks[i], size, i);
  }
  for (size_t i = 0; i < kBlocks; ++i)
    if (i % 3 != 0) free(blocks[i]), blocks[i] = NULL;
  sleep(kSettled);
  // Seconds of CPU time, so other load does not count: a thousandth of each second of sleep.
  double used = 1;
  for (int i = 0; i < 30 && used > 1e-3; ++i) {
    double before = cpu_seconds();
    sleep(1);
    used = cpu_seconds() - before;
  }
  EXPECT(used <= 1e-3, "%f s of one", used);
  double before = cpu_seconds();
  sleep(kQuiet);
  used = cpu_seconds() - before;
  EXPECT(used <= kQuiet * 1e-3, "%f s of the next %d", used, kQuiet);
  for (size_t i = 0; i < kBlocks; ++i) free(blocks[i]);
  return 0;
}
