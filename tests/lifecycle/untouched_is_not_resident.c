// A program that hardly touches what it allocates, and works in between, does not get it made
// resident for it.
// @only protocol

#include <time.h>

#include "support/expect.h"

enum { kBlocks = 2000, kBlock = 100 << 10, kMostResident = 64 << 10 };

static long resident_kib(void) {
  char line[128];
  long kib = -1;
  FILE* status = fopen("/proc/self/status", "r");
  EXPECT(status != NULL);
  while (fgets(line, sizeof line, status) != NULL) {
    if (sscanf(line, "VmRSS: %ld", &kib) == 1) break;
  }
  fclose(status);
  return kib;
}

int main(void) {
  static char* blocks[kBlocks];
  const struct timespec pause = {.tv_nsec = 100000};
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc(kBlock);
    EXPECT(blocks[i] != NULL);
    blocks[i][0] = 1;
    nanosleep(&pause, NULL);
  }
  const long kib = resident_kib();
  EXPECT(kib > 0 && kib < kMostResident, "%ld KiB", kib);
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  return 0;
}
