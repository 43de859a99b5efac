// A block is freed twice, with many calls for other sizes in between.
// expect: double-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = malloc(n);
  free(p);
  void* ring[64] = {NULL};
  for (int i = 0; i < 20000; ++i) {
    free(ring[i % 64]);
    ring[i % 64] = malloc(100 + 10 * (size_t)(i % 90));
  }
  if (!GOOD) free(p);
  return end();
}
