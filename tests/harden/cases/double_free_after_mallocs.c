// A block is freed twice; in between many others of its size are allocated.
// expect: double-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = malloc(n);
  free(p);
  for (int i = 0; i < 100; ++i) *(void* volatile*)malloc(n) = NULL;
  if (!GOOD) free(p);
  return end();
}
