// A block is freed again after many other large ones were freed.
// sizes: 3000000 huge
// expect: double-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* p = malloc(n);
  void* before = malloc(n);
  free(p);
  for (int i = 0; i < 100; ++i) {
    void* volatile q = malloc(3 << 20);
    free(q);
  }
  if (!GOOD) free(p);
  free(before);
  return end();
}
