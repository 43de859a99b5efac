// main writes behind a block that a thread frees.
// sizes: small page large huge
// expect: overflow
#include "harden/case.h"

static void* give(void* block) {
  free(block);
  return NULL;
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  change(GOOD ? p : p + n);
  in_thread(give, p);
  return end();
}
