// A secret is looked for in blocks that are allocated after its own was freed.
// presets: async sync debug openbsd phk
// sizes: small page large 100 1000 30000
// expect: neutral
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  const int rounds = n < 30000 ? 2000 : 40;
  bool holds = true;
  for (int i = 0; i < rounds && holds; ++i) {
    char* volatile p = malloc(n);
    if (GOOD) memset(p, 0, n);
    holds = memmem(p, n, "secret", 6) == NULL;
    memcpy(p, "secret", 6);
    memcpy(p + n - 6, "secret", 6);
    free(p);
  }
  return end_if(holds);
}
