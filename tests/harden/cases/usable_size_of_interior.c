// An address inside a block is asked for its size.
// sizes: small page large huge
// expect: invalid-free
#include <malloc.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  return end_if(malloc_usable_size(GOOD ? p : p + 16) == (GOOD ? n : 0));
}
