// A write before a large block, which follows small ones.
// sizes: 300000 3145728
// expect: underflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  for (int i = 0; i < 2000; ++i) {
    void* volatile q = malloc((size_t)(24 + i % 1000));
    (void)q;
  }
  char* p = malloc(n);
  if (!GOOD) change(p - 1);
  usleep(500000);
  free(p);
  return end();
}
