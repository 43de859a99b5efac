// The memory thread starts by volume, not before. A child of fork has none until it allocates much
// itself, and then has one again. The same holds for the child's child.
// @only mmt
// @memory-thread
// @needs two-cpus

#include "support/processes.h"

static void expect_memory_thread(void) {
  for (int i = 0; i < 40 && thread_count() < 2; ++i) {
    allocate_volume(64);
    void* p = malloc(64 << 20);
    memset(p, 1, 64 << 20);
    free(p);
  }
  EXPECT(thread_count() == 2, "%zu threads", thread_count());
}

static void generation(void* arg) {
  uintptr_t left = (uintptr_t)arg;
  EXPECT(thread_count() == 1, "%zu threads", thread_count());
  free(malloc(1000));
  EXPECT(thread_count() == 1, "%zu threads", thread_count());
  // Two gigabytes live at once, so that this heap is beyond any threshold.
  if (left == 2) {
    enum { kMany = 20000 };
    static void* many[kMany];
    for (int i = 0; i < kMany; ++i) memset(many[i] = malloc(100000), 1, 10);
    for (int i = 0; i < kMany; ++i) free(many[i]);
  }
  expect_memory_thread();
  if (left > 0) expect_success(fork_child(generation, (void*)(left - 1)));
}

int main(void) {
  generation((void*)2);
  return 0;
}
