// Children that hardly do anything, of a parent that has freed much: as servers fork them for each
// request. None has a thread more for what is its parent's.
// @only mmt

#include "support/memory.h"
#include "support/processes.h"

enum { kBlocks = 1000, kBytes = 100000 };

static void does_nothing(void* unused) { (void)unused; }
static void uses_small_blocks(void* unused) {
  (void)unused;
  for (size_t i = 0; i < 1000; ++i) free(malloc(i * 7));
}
static void frees_some_of_its_parent(void* blocks) {
  for (int i = 0; i < 100; ++i) free(((void**)blocks)[i]);
}
static void calls_as(void (*body)(void*), void* argument) {
  body(argument);
  EXPECT(thread_count() == 1, "%zu threads", thread_count());
}

static void* left[100];
static void child(void* body) { calls_as((void (*)(void*))body, left); }

int main(void) {
  static void* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) EXPECT((blocks[i] = malloc(kBytes)));
  for (int i = 0; i < 100; ++i) EXPECT((left[i] = malloc(500)));
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  void (*const bodies[])(void*) = {does_nothing, uses_small_blocks, frees_some_of_its_parent};
  for (int i = 0; i < 30; ++i) expect_success(fork_child(child, (void*)bodies[i % 3]));
  return 0;
}
