// Blocks are never freed.
// sizes: 1 small page large
// expect: ok
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  for (int i = 0; i < 100; ++i) memset(malloc(n), 's', n);
  return end();
}
