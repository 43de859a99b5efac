// The system writes to a freed block.
// sizes: small page
// expect: write-after-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  int ends[2];
  if (pipe(ends) != 0 || write(ends[1], "text", 4) != 4) return 1;
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  if (read(ends[0], p, 4) != 4) return 1;
  if (GOOD) free(p);
  return end();
}
