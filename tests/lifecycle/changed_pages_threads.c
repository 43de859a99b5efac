// Threads that change pages of their own blocks, and free them so, hurt nobody else's, neighbours
// in the same run of pages included.
// @only mmt

#include <pthread.h>
#include <sys/mman.h>

#include "support/processes.h"

enum { kThreads = 4, kRounds = 3000, kHeld = 32, kPage = 4096 };

static void* change_and_free(void* arg) {
  uint64_t seed = (uint64_t)(uintptr_t)arg;
  char* blocks[kHeld] = {0};
  size_t bytes[kHeld] = {0};
  const char mark = (char)seed;
  for (int i = 0; i < kRounds; ++i) {
    const uint64_t random = next_random(&seed);
    const int k = (int)(random % kHeld);
    if (blocks[k] != NULL) {
      EXPECT(blocks[k][0] == mark && blocks[k][bytes[k] - 1] == mark);
      if (random & 1 << 20) EXPECT(mprotect(blocks[k], bytes[k], PROT_NONE) == 0);
      free(blocks[k]);
    }
    bytes[k] = kPage << (random >> 8) % 7;
    EXPECT(posix_memalign((void**)&blocks[k], kPage, bytes[k]) == 0);
    memset(blocks[k], mark, bytes[k]);
  }
  for (int k = 0; k < kHeld; ++k) free(blocks[k]);
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (uintptr_t i = 0; i < kThreads; ++i)
    EXPECT(pthread_create(&threads[i], NULL, change_and_free, (void*)(i + 1)) == 0);
  for (int i = 0; i < kThreads; ++i) EXPECT(pthread_join(threads[i], NULL) == 0);
  return 0;
}
