// Of what a limit on memory allows the program gets the most part: nobody asks for more than is
// needed, and is refused.
// @only protocol glibc

#include <sys/resource.h>

#include "support/expect.h"

enum { kRoom = 12 << 20, kBlock = 1000, kMost = 64 << 10 };

static size_t address_space(void) {
  size_t pages = 0;
  FILE* statm = fopen("/proc/self/statm", "r");
  EXPECT(statm != NULL && fscanf(statm, "%zu", &pages) == 1);
  fclose(statm);
  return pages * 4096;
}

int main(void) {
  static void* blocks[kMost];
  const struct rlimit limit = {address_space() + kRoom, RLIM_INFINITY};
  EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
  size_t bytes = 0;
  for (int i = 0; i < kMost && (blocks[i] = malloc(kBlock)) != NULL; ++i) bytes += kBlock;
  EXPECT(bytes >= kRoom / 2, "%zu of %d", bytes, (int)kRoom);
  for (int i = 0; i < kMost; ++i) free(blocks[i]);
  return 0;
}
