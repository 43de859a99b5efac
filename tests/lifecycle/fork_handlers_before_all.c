// A fork handler is registered before any library's constructor has run, as by a library that the
// program is linked to. The child allocates as its parent did, and more than any reserve has.

#include <pthread.h>

#include "support/expect.h"
#include "support/processes.h"

static int children;

static void note_child(void) { ++children; }
static void register_handler(void) { EXPECT(pthread_atfork(NULL, NULL, note_child) == 0); }
__attribute__((section(".preinit_array"),
               used)) static void (*const before_all)(void) = register_handler;

enum { kBlocks = 160, kBlock = 1 << 20 };

static void fill_and_free(void) {
  static char* blocks[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc(kBlock);
    EXPECT(blocks[i] != NULL, "block %d", i);
    blocks[i][0] = blocks[i][kBlock - 1] = 1;
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
}

static void in_child(void* unused) {
  (void)unused;
  EXPECT(children == 1, "%d", children);
  fill_and_free();
}

int main(void) {
  fill_and_free();
  for (int i = 0; i < 3; ++i) {
    expect_success(fork_child(in_child, NULL));
    fill_and_free();
  }
  return 0;
}
