// A block of a thread that has ended is written to, and its memory becomes blocks of another size.
// sizes: 24 300 1000 4096
// expect: write-after-free
#include "harden/case.h"

static size_t bytes;
static void* run(void* place) {
  char* volatile p = malloc(bytes);
  *(void**)place = p;
  if (!GOOD) free(p);
  p[5] = 'x';
  if (GOOD) free(p);
  return NULL;
}
int main(int argc, char** argv) {
  bytes = bytes_of(argc, argv);
  void* p = NULL;
  in_thread(run, &p);
  void* volatile q[20];
  for (size_t i = 0; i < 20; ++i) q[i] = malloc(bytes * 2 + 100);
  for (size_t i = 0; i < 20; ++i) free(q[i]);
  return end();
}
