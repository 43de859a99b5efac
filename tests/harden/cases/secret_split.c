// A secret of a large block is looked for in small blocks.
// presets: async sync debug openbsd phk
// sizes: page large 30000
// expect: neutral
#include "harden/case.h"

static bool is_there(size_t bytes) {
  char* volatile p = malloc(bytes);
  if (GOOD) memset(p, 0, bytes);
  return memmem(p, bytes, "secret", 6) != NULL;
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  for (int i = 0; i < (n < 30000 ? 100 : 10); ++i) {
    char* volatile p = malloc(n);
    for (size_t at = 0; at + 6 <= n; at += 6) memcpy(p + at, "secret", 6);
    free(p);
  }
  bool holds = true;
  for (size_t bytes = 8; bytes < 2 * n; bytes += bytes / 4) holds = holds && !is_there(bytes);
  return end_if(holds);
}
