// Blocks grow and shrink, and keep what they hold.
// sizes: small page large
// expect: ok
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  bool holds = true;
  unsigned random = 1;
  size_t bytes = n;
  char* volatile p = malloc(n);
  memset(p, 's', n);
  for (int i = 0; i < 100; ++i) {
    random = random * 1103515245 + 12345;
    const size_t next = 1 + (random >> 4) % (3 * n);
    p = realloc(p, next);
    for (size_t at = 0; at < next && at < bytes; at += 7) holds = holds && p[at] == 's';
    memset(p, 's', next);
    bytes = next;
  }
  free(p);
  return end_if(holds);
}
