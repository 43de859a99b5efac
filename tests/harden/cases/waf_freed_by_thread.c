// main writes to a block that a thread has freed, which has ended.
// sizes: small page large
// expect: write-after-free
// expect large: write-after-free | fault
#include "harden/case.h"

static void* give(void* block) {
  free(block);
  return NULL;
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) in_thread(give, p);
  p[0] = 'x';
  if (GOOD) in_thread(give, p);
  return end();
}
