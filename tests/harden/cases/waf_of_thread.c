// main writes to a block that a thread has allocated and freed, which has ended.
// sizes: small page large
// expect: write-after-free
// expect large: write-after-free | fault
#include "harden/case.h"

static size_t bytes;
static void* run(void* place) {
  *(void**)place = malloc(bytes);
  if (!GOOD) free(*(void**)place);
  return NULL;
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  char* p = NULL;
  bytes = n;
  in_thread(run, &p);
  *(volatile char*)p = 'x';
  if (GOOD) free(p);
  return end();
}
