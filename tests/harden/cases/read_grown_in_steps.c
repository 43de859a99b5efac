// The bytes are read by which a block grows, one after the other.
// presets: async sync debug openbsd phk
// sizes: small page large 100
// expect: neutral
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  bool holds = true;
  char* volatile p = malloc(n);
  memset(p, 's', n);
  for (size_t i = 0; i < 20; ++i) {
    p = realloc(p, n + i * 7 + 7);
    if (GOOD) memset(p + n + i * 7, 0, 7);
    holds = holds && is_neutral(p + n + i * 7, 7);
    memset(p + n + i * 7, 's', 7);
  }
  return end_if(holds);
}
