// A thread writes to a block that main has freed.
// sizes: small page large
// expect: write-after-free
// expect large: write-after-free | fault
#include "harden/case.h"

static void* run(void* block) {
  *(volatile char*)block = 'x';
  return NULL;
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* volatile p = malloc(n);
  if (!GOOD) free(p);
  in_thread(run, p);
  if (GOOD) free(p);
  return end();
}
