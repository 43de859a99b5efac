// A block that is freed is not the next to be allocated.
// presets: async sync debug openbsd
// sizes: small page large 100 1000 30000
// expect: ok
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile first = malloc(n);
  free(first);
  void* volatile second = malloc(n);
  const bool holds = first != second;
  free(second);
  return end_if(holds);
}
