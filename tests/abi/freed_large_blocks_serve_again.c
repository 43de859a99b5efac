// A program under a limit on memory is never refused when it frees before it asks. The memory that
// the program has freed is there again, wherever that memory is kept meanwhile. (mimalloc keeps
// what another thread has freed for that one.)
// @without libmimalloc.so.2

#include <malloc.h>

#include "support/address_space.h"

enum { kRounds = 60, kRoom = 300 << 20, kBlock = 90 << 20 };

static void use_and_free(char* block, const char* call, int round) {
  EXPECT(block != NULL, "%s, round %d", call, round);
  block[0] = block[kBlock - 1] = 1;
  free(block);
}

int main(void) {
  // What starts when a program has allocated for a while, starts before the limit.
  for (int i = 0; i < 100000; ++i) {
    char* block = malloc(16 + (size_t)i % 500);
    block[0] = 1;
    free(block);
  }
  limit_address_space(kRoom);
  for (int i = 0; i < kRounds; ++i) {
    use_and_free(malloc(kBlock), "malloc", i);
    use_and_free(calloc(1, kBlock), "calloc", i);
    use_and_free(memalign(64, kBlock), "memalign", i);
    use_and_free(realloc(malloc(100), kBlock), "realloc", i);
  }
  return 0;
}
