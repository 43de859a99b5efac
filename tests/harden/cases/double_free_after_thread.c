// main frees what a thread, which has ended, has freed.
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
  in_thread(give, p);
  if (!GOOD) free(p);
  return end();
}
