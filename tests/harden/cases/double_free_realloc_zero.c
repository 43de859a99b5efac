// A block is freed by realloc to no bytes, and by free.
// sizes: small page large huge
// expect: double-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = malloc(n);
  void* volatile none = realloc(p, 0);
  if (!GOOD) free(p);
  return end_if(none == NULL);
}
