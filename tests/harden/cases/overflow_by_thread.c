// A thread writes behind a block that main frees.
// sizes: small page large huge
// expect: overflow
#include "harden/case.h"

static size_t bytes;
static void* run(void* block) {
  change((char*)block + (GOOD ? 0 : bytes));
  return NULL;
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  void* volatile p = malloc(bytes = n);
  in_thread(run, p);
  free(p);
  return end();
}
