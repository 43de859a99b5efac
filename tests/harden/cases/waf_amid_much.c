// The last of many blocks that are freed is written: far more is freed than is looked at at once.
// sizes: small 1000
// expect: write-after-free
#include "harden/case.h"

enum { kAll = 72 << 20 };

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  const size_t count = kAll / (n + 40);
  char** const blocks = malloc(count * sizeof *blocks);
  for (size_t i = 0; i < count; ++i) blocks[i] = memset(malloc(n), 1, n);
  for (size_t i = 0; i + 1 < count; ++i) free(blocks[i]);
  char* volatile const last = blocks[count - 1];
  if (!GOOD) free(last);
  change(last + n / 2);
  if (GOOD) free(last);
  return end();
}
