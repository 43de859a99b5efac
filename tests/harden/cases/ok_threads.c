// Threads hand blocks to one another and free them.
// sizes: small 1000 page
// expect: ok
#include "harden/case.h"

static void* volatile places[64];
static size_t bytes;
static void* run(void* seed) {
  unsigned random = (unsigned)(uintptr_t)seed;
  for (int i = 0; i < 20000; ++i) {
    random = random * 1103515245 + 12345;
    char* block = malloc(1 + random % bytes);
    memset(block, 's', 1 + random % bytes);
    free(__atomic_exchange_n(&places[random >> 20 & 63], block, __ATOMIC_ACQ_REL));
  }
  return NULL;
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  bytes = n;
  pthread_t threads[4];
  for (uintptr_t i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, run, (void*)(i + 1));
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < 64; ++i) free(places[i]);
  return end();
}
