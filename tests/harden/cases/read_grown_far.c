// The first bytes are read by which a block has grown that is too large to wait once it is freed.
// presets: async sync debug openbsd phk
// sizes: 40000000
// expect: neutral
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  const size_t looked_at = 100000;
  bool holds = true;
  for (int i = 0; i < 4; ++i) {
    char* volatile p = realloc(malloc(n), 2 * n);
    if (GOOD) memset(p + n, 0, looked_at);
    holds = holds && is_neutral(p + n, looked_at);
    memset(p + n, 's', looked_at);
    free(p);
  }
  return end_if(holds);
}
