// A string is copied to a block that has no byte for its end.
// sizes: small page large 1 13 100 1000
// expect: overflow
#include "harden/case.h"

static char text[(1 << 20) + 1];
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n + GOOD);
  for (int i = 0; !GOOD && p[n] == 0 && i < 1000; ++i) p = malloc(n);
  memset(text, 'x', n);
  strcpy(p, text);
  free(p);
  return end();
}
