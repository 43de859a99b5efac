// mallinfo2 counts what other threads hold, also after they ended; blocks freed by another thread
// are no longer counted.
// @timeout 60

#include <malloc.h>
#include <pthread.h>

#include "support/expect.h"

enum { kThreads = 8, kCount = 20000, kSize = 300 };
static void* blocks[kThreads][kCount];

static void* take(void* arg) {
  void** mine = arg;
  for (int i = 0; i < kCount; ++i) mine[i] = malloc(kSize);
  return NULL;
}

int main(void) {
  const size_t kBytes = (size_t)kThreads * kCount * kSize;
  struct mallinfo2 start = mallinfo2();
  pthread_t threads[kThreads];
  for (int t = 0; t < kThreads; ++t) EXPECT(!pthread_create(&threads[t], NULL, take, blocks[t]));
  for (int t = 0; t < kThreads; ++t) pthread_join(threads[t], NULL);
  struct mallinfo2 full = mallinfo2();
  EXPECT(full.uordblks >= start.uordblks + kBytes, "%zu then %zu", start.uordblks, full.uordblks);
  for (int t = 0; t < kThreads; ++t)
    for (int i = 0; i < kCount; ++i) free(blocks[t][i]);
  struct mallinfo2 after = mallinfo2();
  EXPECT(after.uordblks <= start.uordblks + kBytes / 10, "start %zu full %zu after %zu",
         start.uordblks, full.uordblks, after.uordblks);
  return 0;
}
