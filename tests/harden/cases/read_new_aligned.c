// A new aligned block is read that was never written; others of its size were before.
// presets: async sync debug openbsd phk
// sizes: small page large
// expect: neutral
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  bool holds = true;
  for (int i = 0; i < (n < 30000 ? 100 : 10); ++i) {
    char* volatile p = aligned_alloc(256, n);
    if (GOOD) memset(p, 0, n);
    holds = holds && is_neutral(p, n);
    memset(p, 's', n);
    free(p);
  }
  return end_if(holds);
}
