// Where the system refuses memory, blocks that were freed serve for smaller sizes too.
// @only mmt

#include <sys/resource.h>

#include "support/processes.h"

enum { kBlocks = 4000, kBytes = 20000 };

static void* blocks[kBlocks];

// How many blocks of a size can be had in the place of every second one.
static int replace(size_t bytes) {
  int got = 0;
  for (int i = 0; i < kBlocks; i += 2) free(blocks[i]);
  for (int i = 0; i < kBlocks; i += 2) {
    blocks[i] = malloc(bytes);
    if (blocks[i] == NULL) {
      EXPECT(errno == ENOMEM);
      continue;
    }
    fill_pattern(blocks[i], bytes, (size_t)i);
    ++got;
  }
  for (int i = 0; i < kBlocks; i += 2)
    if (blocks[i] != NULL) check_pattern(blocks[i], bytes, (size_t)i);
  return got;
}

int main(void) {
  for (int i = 0; i < kBlocks; ++i) EXPECT((blocks[i] = malloc(kBytes)) != NULL);
  const struct rlimit limit = {10 << 20, RLIM_INFINITY};
  EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
  for (size_t bytes = kBytes; bytes >= kBytes / 4; bytes -= kBytes / 8) {
    const int got = replace(bytes);
    EXPECT(got >= kBlocks / 2 * 9 / 10, "%d of %zu bytes", got, bytes);
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  return 0;
}
