// An aligned block is freed twice.
// sizes: small page large huge
// expect: double-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* p = NULL;
  if (posix_memalign(&p, 4096, n) != 0) return 1;
  free(p);
  if (!GOOD) free(p);
  return end();
}
