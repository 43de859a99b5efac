// A block of no bytes is read.
// sizes: 0
// expect: neutral
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n + GOOD);
  const bool holds = is_neutral(p, 1);
  free(p);
  return end_if(holds);
}
