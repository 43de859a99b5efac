// calloc and reallocarray are asked for products beyond all numbers.
// sizes: small page large
// expect: ok
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  const size_t many = SIZE_MAX / n + 2;
  void* volatile none = calloc(many, n);
  void* volatile p = malloc(n);
  void* volatile neither = reallocarray(p, many, n);
  free(p);
  return end_if(none == NULL && neither == NULL);
}
