// Freed memory goes back to the system without any call also with one usable CPU. The memory is
// that of small blocks, of whole spans and of large blocks. The same holds in a child of fork.
// @launch taskset -c 0
// @only mmt
// @timeout 250
// @memory-thread

#include "support/processes.h"

enum { kBytes = 128 << 20, kLeft = 10 };

static void free_and_wait(size_t size) {
  size_t count = kBytes / size;
  void** blocks = (void**)malloc(count * sizeof(void*));
  EXPECT(blocks != NULL);
  size_t start = resident_bytes();
  for (size_t i = 0; i < count; ++i) {
    blocks[i] = malloc(size);
    EXPECT(blocks[i] != NULL);
    memset(blocks[i], 1, size);
  }
  size_t peak = resident_bytes();
  EXPECT(peak - start > kBytes / 10 * 9, "%zu", peak - start);
  for (size_t i = 0; i < count; ++i) free(blocks[i]);
  free(blocks);
  size_t now = resident_within(start + kBytes / kLeft);
  EXPECT(now <= start + kBytes / kLeft, "blocks of %zu: %zu of %zu bytes are back", size,
         peak - now, peak - start);
}

static void all_sizes(void* arg) {
  (void)arg;
  free_and_wait(100);
  free_and_wait(20000);
  free_and_wait(4 << 20);
}

int main(void) {
  all_sizes(NULL);
  pid_t child = fork_child(all_sizes, NULL);
  int status = wait_status(child, 200);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%#x", (unsigned)status);
  return 0;
}
