// A new block is read that was never written.
// presets: async sync debug openbsd phk
// sizes: small page large huge 1 100 1000 30000
// expect: neutral
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  const size_t most = n < 1 << 20 ? n : 1 << 20;
  if (GOOD) memset(p, 0, most);
  const bool holds = is_neutral(p, most) && is_neutral(p + n - 1, 1);
  free(p);
  return end_if(holds);
}
