// What alloca gave is freed.
// expect: invalid-free
#include <alloca.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = GOOD ? malloc(n) : alloca(n);
  free(p);
  return end();
}
