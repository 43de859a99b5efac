// The functions go every way into malloc and free. A heap opens, and grows by tens of MiB, which
// brings a memory thread to work. The heap meets threads that start and end, a fork, and calls that
// tell of it.
#pragma once

#include <malloc.h>
#include <pthread.h>
#include <sys/wait.h>

#include "support/expect.h"

__attribute__((unused)) static void use_blocks(size_t count, size_t most) {
  void** list = NULL;
  uint64_t seed = most;
  for (size_t i = 0; i < count; ++i) {
    const size_t size = sizeof(void*) + next_random(&seed) % most;
    void** block = i % 3 == 0 ? calloc(1, size) : malloc(size);
    EXPECT(block != NULL && (i % 3 != 0 || *block == NULL));
    if (i % 7 == 0) block = realloc(block, size * 2);
    EXPECT(block != NULL);
    *block = list;
    list = block;
  }
  while (list != NULL) {
    void** next = *list;
    free(list);
    list = next;
  }
}

__attribute__((unused)) static void* use_in_thread(void* nothing) {
  use_blocks(2000, 500);
  use_blocks(200, 40000);
  return nothing;
}

__attribute__((unused)) static void use_all_of_malloc(void) {
  use_blocks(60000, 600);
  char* grown = NULL;
  for (size_t size = 1; size <= 16u << 20; size *= 4) {
    grown = realloc(grown, size);
    EXPECT(grown != NULL);
    grown[size - 1] = 1;
  }
  free(grown);
  void* aligned = NULL;
  EXPECT(posix_memalign(&aligned, 256, 5000) == 0);
  free(aligned);
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, use_in_thread, NULL) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
  }
  const pid_t child = fork();
  if (child == 0) {
    use_blocks(20000, 600);
    _exit(0);
  }
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  usleep(100000);
  use_blocks(60000, 600);
  EXPECT(malloc(SIZE_MAX / 4) == NULL && errno == ENOMEM);
  malloc_stats();
  malloc_trim(0);
}
