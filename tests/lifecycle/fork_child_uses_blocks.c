// A child of fork works at once: it checks, resizes and frees the parent's blocks and allocates its
// own; the parent's copies stay.
// @timeout[protocol] 280

#include "support/processes.h"

enum { kCount = 2000 };
static void* blocks[kCount];

static size_t size_of(size_t i) { return i % 50 == 0 ? i * 300 + 1 : i % 700; }

static void child(void* arg) {
  (void)arg;
  for (uint64_t i = 0; i < kCount; ++i) {
    check_pattern(blocks[i], size_of(i), i);
    if (i % 3 == 0) {
      void* p = realloc(blocks[i], size_of(i) + 500);
      EXPECT(p != NULL);
      check_prefix(p, size_of(i), size_of(i), i);
      memset(p, 0xee, size_of(i) + 500);
      free(p);
    } else {
      memset(blocks[i], 0xee, size_of(i));
      free(blocks[i]);
    }
  }
  allocate_volume(2);
}

int main(void) {
  for (uint64_t i = 0; i < kCount; ++i) {
    blocks[i] = malloc(size_of(i));
    fill_pattern(blocks[i], size_of(i), i);
  }
  for (int round = 0; round < 100; ++round) {
    if (round == 20) allocate_volume(64);  // by now with a memory thread
    pid_t pid = fork_child(child, NULL);
    free(malloc(100));
    if (round % 2) expect_success(pid);
    allocate_volume(1);
    if (round % 2 == 0) expect_success(pid);
  }
  for (uint64_t i = 0; i < kCount; ++i) {
    check_pattern(blocks[i], size_of(i), i);
    free(blocks[i]);
  }
  return 0;
}
