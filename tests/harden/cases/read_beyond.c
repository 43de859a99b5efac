// A block of whole pages is read two pages beyond its end.
// sizes: large huge
// expect: fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  volatile char c = GOOD ? p[0] : p[n + 4096 + 100];
  (void)c;
  free(p);
  return end();
}
