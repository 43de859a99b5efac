// The byte before a large aligned block is written.
// sizes: 67108864
// expect: underflow | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* blocks[3];
  for (int i = 0; i < 3; ++i)
    if (posix_memalign(&blocks[i], 4096, n) != 0) return 3;
  change((char*)blocks[1] - (GOOD ? 0 : 1));
  free(blocks[1]);
  return end();
}
