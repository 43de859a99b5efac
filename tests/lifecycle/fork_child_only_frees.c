// A fork's child that allocates nothing, and frees what its parent has left it, gives memory back
// as its parent would. The child frees large blocks and small ones, by several threads, slowly, or
// by a child's child. The child also gives back what the parent has just freed.
// @only mmt
// @memory-thread
// @timeout 180

#include <pthread.h>

#include "support/processes.h"

enum { kBytes = 200 << 20, kLarge = 300000, kSmall = 900, kThreads = 3 };

static char** blocks;
static size_t count;

static void build(size_t bytes) {
  count = kBytes / bytes;
  blocks = malloc(count * sizeof *blocks);
  EXPECT(blocks != NULL);
  for (size_t i = 0; i < count; ++i) {
    blocks[i] = malloc(bytes);
    EXPECT(blocks[i] != NULL);
    memset(blocks[i], 1, bytes);
  }
}

static void free_every(size_t step, size_t first) {
  for (size_t i = first; i < count; i += step) free(blocks[i]);
}

static void expect_gone(void) {
  const size_t most = kBytes / 8;
  EXPECT(resident_within(most) <= most, "%zu MiB", resident_bytes() >> 20);
}

static void frees_all(void* unused) {
  (void)unused;
  EXPECT(resident_bytes() > kBytes / 10 * 9);
  free_every(1, 0);
  expect_gone();
}

static void* frees_some(void* first) {
  free_every(kThreads, (size_t)first);
  return NULL;
}

static void frees_by_threads(void* unused) {
  (void)unused;
  pthread_t threads[kThreads];
  for (size_t i = 0; i < kThreads; ++i)
    EXPECT(pthread_create(&threads[i], NULL, frees_some, (void*)i) == 0);
  for (int i = 0; i < kThreads; ++i) EXPECT(pthread_join(threads[i], NULL) == 0);
  expect_gone();
}

static void frees_slowly(void* unused) {
  (void)unused;
  for (size_t i = 0; i < count; ++i) {
    free(blocks[i]);
    if (i % 4096 == 0) usleep(1000);
  }
  expect_gone();
}

static void has_child(void (*body)(void*)) {
  const int status = wait_status(fork_child(body, NULL), 100);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%#x", (unsigned)status);
}

static void has_child_that_frees(void* unused) {
  (void)unused;
  has_child(frees_all);
}

static void finds_it_free(void* unused) {
  (void)unused;
  free(malloc(kLarge));
  expect_gone();
}

int main(void) {
  build(kLarge);
  has_child(frees_all);
  free_every(1, 0);
  has_child(finds_it_free);
  build(kSmall);
  has_child(frees_all);
  has_child(frees_by_threads);
  has_child(frees_slowly);
  has_child(has_child_that_frees);
  return 0;
}
