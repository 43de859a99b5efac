// A freed block is asked for its size.
// sizes: small page large huge
// expect: double-free | invalid-free
#include <malloc.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = malloc(n);
  if (!GOOD) free(p);
  return end_if(malloc_usable_size(p) == (GOOD ? n : 0));
}
