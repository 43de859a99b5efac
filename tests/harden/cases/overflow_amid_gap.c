// A byte is written far behind an aligned block, and amid what the alignment leaves unused.
// sizes: 100 300 1000
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* block = NULL;
  if (posix_memalign(&block, 2048, n) != 0) return 3;
  change((char*)block + (GOOD ? n - 1 : n + 200));
  free(block);
  return end();
}
