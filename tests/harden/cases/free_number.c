// A small number is freed.
// sizes: 1 8 16 4096 0xffffffffffffffff 0xfffffffffffffff0 0x7fffffffffff 0x8000000000000000
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = GOOD ? malloc(8) : (void*)(uintptr_t)n;
  free(p);
  return end();
}
