// A page that mmap gave is freed.
// sizes: page large huge
// expect: invalid-free
#include <sys/mman.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = GOOD ? malloc(n) : mmap(NULL, n, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  free(p);
  return end();
}
