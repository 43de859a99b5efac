// Blocks that no system can give: there are none.
// sizes: 0x7fffffffffffffff 0x8000000000000000 0xffffffffffffffff 0xfffffffffffff000
// expect: ok
#include <errno.h>
#include <malloc.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = malloc(n);
  bool holds = p == NULL && errno == ENOMEM;
  errno = 0;
  p = memalign(4096, n);
  holds = holds && p == NULL && errno == ENOMEM;
  void* volatile small = malloc(24);
  p = realloc(small, n);
  holds = holds && p == NULL && errno == ENOMEM;
  free(small);
  return end_if(holds);
}
