// A write to memory of freed blocks that is part of a span of another size by now.
// sizes: 24 300 1000 4096
// expect: write-after-free
#include "harden/case.h"

static void* run(void* place) {
  char** p = place;
  const size_t bytes = (size_t)(uintptr_t)p[0];
  for (int i = 0; i < 8; ++i) p[i] = malloc(bytes);
  for (int i = 0; i < 8; ++i) free(p[i]);
  return NULL;
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* p[8] = {(char*)(uintptr_t)n};
  in_thread(run, p);
  void* volatile q = malloc(n * 2 + 100);
  if (!GOOD) change(p[7] + 8);
  free(q);
  return end();
}
