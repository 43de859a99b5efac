// A program that may lock any amount of memory is served as before after mlockall(MCL_FUTURE). The
// memory that a memory thread maps counts against no limit, too.
// @root
// @needs locked-memory

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "support/processes.h"

enum { kBytes = 40 << 20, kSizes = 3 };

static const size_t sizes[kSizes] = {200, 5000, 300000};

static void* use(void* unused) {
  (void)unused;
  for (int i = 0; i < kSizes; ++i) {
    for (size_t had = 0; had < kBytes / kSizes; had += sizes[i]) {
      char* block = malloc(sizes[i]);
      EXPECT(block != NULL, "%zu bytes after %zu", sizes[i], had);
      OPAQUE(block);
      memset(block, 1, sizes[i]);
    }
  }
  return NULL;
}

static void lock_and_use(void* late) {
  if (late != NULL) allocate_volume(3);
  struct rlimit limit = {4 << 20, 4 << 20};
  EXPECT(setrlimit(RLIMIT_MEMLOCK, &limit) == 0);
  EXPECT(mlockall(MCL_CURRENT | MCL_FUTURE) == 0);
  use(NULL);
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, use, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

int main(void) {
  int yes = 1;
  expect_success(fork_child(lock_and_use, NULL));
  expect_success(fork_child(lock_and_use, &yes));
  return 0;
}
