// A byte is written two pages behind a block of whole pages, and none in between.
// sizes: large huge
// expect: overflow | fault
#include "harden/case.h"

int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  change(GOOD ? p : p + n + 4096 + 100);
  free(p);
  return end();
}
