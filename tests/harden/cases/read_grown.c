// The bytes are read by which a block has grown.
// presets: async sync debug openbsd phk
// sizes: small page large 100 1000 30000
// expect: neutral
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  const int rounds = n < 30000 ? 100 : 40;
  bool holds = true;
  for (int i = 0; i < rounds; ++i) {
    char* volatile p = malloc(n);
    memset(p, 's', n);
    p = realloc(p, 2 * n);
    if (GOOD) memset(p + n, 0, n);
    holds = holds && is_neutral(p + n, n);
    memset(p, 's', 2 * n);
    free(p);
  }
  return end_if(holds);
}
