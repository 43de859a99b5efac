// The bytes are read that a block had, gave up and got again in its place.
// presets: async sync debug openbsd phk
// sizes: small page large 100 1000 30000 5000000
// expect: neutral
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  memset(p, 's', n);
  p = realloc(p, n - 7);
  p = realloc(p, n);
  if (GOOD) memset(p + n - 7, 0, 7);
  return end_if(is_neutral(p + n - 7, 7));
}
