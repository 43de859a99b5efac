// A secret of a thread, which has ended, is looked for by main.
// presets: async sync debug openbsd phk
// sizes: small page large
// expect: neutral
#include "harden/case.h"

static size_t bytes;
static void* run(void* unused) {
  for (int i = 0; i < (bytes < 30000 ? 100 : 10); ++i) {
    char* volatile p = malloc(bytes);
    for (size_t at = 0; at + 6 <= bytes; at += 6) memcpy(p + at, "secret", 6);
    free(p);
  }
  return unused;
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  bytes = n;
  in_thread(run, NULL);
  bool holds = true;
  for (int i = 0; i < (bytes < 30000 ? 500 : 20); ++i) {
    char* volatile p = malloc(n);
    if (GOOD) memset(p, 0, n);
    holds = holds && memmem(p, n, "secret", 6) == NULL;
  }
  return end_if(holds);
}
