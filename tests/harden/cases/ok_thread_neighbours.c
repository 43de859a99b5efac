// Threads allocate and free blocks that lie side by side, each with a small gap behind it.
// sizes: 20 500
// expect: ok
#include "harden/case.h"

static void* volatile places[8];
static size_t bytes;
static void* run(void* seed) {
  unsigned random = (unsigned)(uintptr_t)seed;
  for (int i = 0; i < 40000; ++i) {
    random = random * 1103515245 + 12345;
    free(__atomic_exchange_n(&places[random >> 20 & 7], malloc(bytes), __ATOMIC_ACQ_REL));
  }
  return NULL;
}
int main(int argc, char** argv) {
  bytes = bytes_of(argc, argv);
  pthread_t threads[3];
  for (uintptr_t i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, run, (void*)(i + 1));
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < 8; ++i) free(places[i]);
  return end();
}
