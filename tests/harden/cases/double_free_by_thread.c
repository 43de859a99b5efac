// A thread frees what main has freed.
// sizes: small page large huge
// expect: double-free
#include "harden/case.h"

static void* give(void* block) {
  free(block);
  return NULL;
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = malloc(n);
  if (!GOOD) free(p);
  in_thread(give, p);
  return end();
}
