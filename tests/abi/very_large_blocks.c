// Blocks of hundreds of MiB hold what was written, grow, shrink, and are zeroed and aligned as
// asked. Other threads and a fork's child can free them.
// @without phk

#include <malloc.h>
#include <pthread.h>

#include "support/processes.h"

#define MIB ((size_t)1 << 20)

static void mark(char* block, size_t bytes, char value) {
  block[0] = block[bytes / 2] = block[bytes - 1] = value;
}

static void expect_mark(const char* block, size_t bytes, char value) {
  EXPECT(block[0] == value && block[bytes / 2] == value);
  EXPECT(block[bytes - 1] == value);
}

static void grow_and_shrink(size_t from, size_t to) {
  char* block = malloc(from);
  EXPECT(block != NULL);
  mark(block, from, 5);
  block = realloc(block, to);
  EXPECT(block != NULL && malloc_usable_size(block) >= to);
  if (to >= from) {
    expect_mark(block, from, 5);
    block[to - 1] = 6;
  } else {
    EXPECT(block[0] == 5);
  }
  block = realloc(block, 100);
  EXPECT(block != NULL && block[0] == 5);
  free(block);
}

static void* free_it(void* block) {
  expect_mark(block, 300 * MIB, 9);
  free(block);
  return NULL;
}

static void use_in_child(void* block) {
  expect_mark(block, 300 * MIB, 9);
  free(block);
  grow_and_shrink(300 * MIB, 600 * MIB);
  _exit(0);
}

int main(void) {
  static const size_t sizes[] = {MIB, 200 * MIB, 256 * MIB, 300 * MIB, 700 * MIB};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) grow_and_shrink(sizes[i], sizes[j] + 5);

  for (size_t alignment = 4096; alignment <= 1024 * MIB; alignment *= 64) {
    void* aligned = NULL;
    EXPECT(posix_memalign(&aligned, alignment, 400 * MIB) == 0);
    EXPECT((size_t)aligned % alignment == 0 && malloc_usable_size(aligned) >= 400 * MIB);
    mark(aligned, 400 * MIB, 1);
    free(aligned);
  }

  for (int round = 0; round < 3; ++round) {
    char* zeroed = calloc(300, MIB);
    EXPECT(zeroed != NULL);
    expect_mark(zeroed, 300 * MIB, 0);
    mark(zeroed, 300 * MIB, 9);
    if (round == 0) expect_success(fork_child(use_in_child, zeroed));
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, free_it, zeroed) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
  }
  return 0;
}
