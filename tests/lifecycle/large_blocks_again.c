// A program that allocates large blocks again and again gets the memory that it just freed, as from
// glibc alone. The program does not fault that memory in anew each time. This holds with one
// thread, and once there was another.
// @only protocol glibc
// @without phk hoard libjemalloc.so.2 libmimalloc.so.2 (which give such blocks back themselves)

#include <pthread.h>
#include <sys/resource.h>

#include "support/processes.h"

enum { kRounds = 40, kPage = 4096 };

static void* nothing(void* arg) { return arg; }

static long faults(void) {
  struct rusage usage;
  EXPECT(getrusage(RUSAGE_SELF, &usage) == 0);
  return usage.ru_minflt;
}

static void again_and_again(size_t bytes) {
  const long before = faults();
  for (int i = 0; i < kRounds; ++i) {
    char* block = malloc(bytes);
    EXPECT(block != NULL);
    OPAQUE(block);
    memset(block, i, bytes);
    free(block);
  }
  // glibc maps the first ones, until it knows better.
  const long most = 8 * (long)(bytes / kPage);
  EXPECT(faults() - before < most, "%zu bytes: %ld faults, at most %ld", bytes, faults() - before,
         most);
}

static void use(void* has_second) {
  allocate_volume(8);
  if (has_second != NULL) {
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, nothing, NULL) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
    allocate_volume(8);
  }
  for (size_t mib = 1; mib <= 16; mib *= 2) again_and_again(mib << 20);
}

int main(void) {
  expect_success(fork_child(use, NULL));
  expect_success(fork_child(use, (void*)1));
  return 0;
}
