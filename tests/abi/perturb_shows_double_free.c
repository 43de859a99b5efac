// The report that glibc makes of a block freed twice also comes behind a protocol with
// mallopt(M_PERTURB). Nothing is written over what glibc knows a freed block by. The size of such a
// block is not asked of glibc either.
// @only glibc protocol
// @without layered (which tell of none)

#include <malloc.h>
#include <unistd.h>

#include "support/processes.h"

enum { kFilled = 7 };  // of glibc's own cache for a size

// Until whoever frees for us has come by, and ended the process.
static void await_end(void) {
  for (int i = 0; i < 200; ++i) usleep(10000);
}

static void twice(void* size) {
  void* volatile block = malloc((size_t)size);
  free(block);
  free(block);
  await_end();
}
static void twice_beyond_the_cache(void* size) {
  void* volatile blocks[kFilled];
  void* volatile block = malloc((size_t)size);
  void* volatile behind = malloc((size_t)size);
  for (int i = 0; i < kFilled; ++i) blocks[i] = malloc((size_t)size);
  for (int i = 0; i < kFilled; ++i) free(blocks[i]);
  free(block);
  free(block);
  await_end();
  free(behind);
}

static bool is_told(void (*body)(void*), size_t size) {
  int status = wait_status(fork_child(body, (void*)size), 30);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

int main(void) {
  const char* preload = getenv("LD_PRELOAD");
  const bool over_another = preload != NULL && strchr(preload, ':') != NULL;
  // Protocols that hand freed blocks out again, past glibc, tell of none.
  if (over_another || !is_told(twice, 24)) return 0;
  for (int perturbed = 0; perturbed < 2; ++perturbed) {
    if (perturbed) EXPECT(mallopt(M_PERTURB, 42) == 1);
    for (size_t size = 24; size < 1000; size = size * 2 + 8) {
      EXPECT(is_told(twice, size), "%zu, %d", size, perturbed);
      EXPECT(is_told(twice_beyond_the_cache, size), "%zu, %d", size, perturbed);
    }
    EXPECT(is_told(twice, 5000), "%d", perturbed);
  }
  return 0;
}
