// A word of the command line is freed.
// sizes: small
// expect: invalid-free
#include "harden/case.h"

int main(int argc, char** argv) {
  void* volatile p = GOOD ? malloc((size_t)argc) : argv[0];
  free(p);
  return end();
}
