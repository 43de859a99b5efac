// A block says how many bytes it has, and all may be written.
// sizes: 0 1 13 small 100 1000 page 30000 large huge
// expect: ok
#include <malloc.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  const size_t usable = malloc_usable_size(p);
  if (usable < 1 << 24) memset(p, 's', usable);
  free(p);
  return end_if(usable >= n);
}
