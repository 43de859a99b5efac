// The byte behind a block is written; the block is never freed.
// presets: async
// sizes: small page large 1 100 1000 30000 300000
// expect: overflow
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  change(p + n - GOOD);
  return end();
}
