// Two threads free the same block at the same time, again and again.
// sizes: small page large huge
// expect: double-free
#include "harden/case.h"

static pthread_barrier_t barrier;
static void* volatile block;
static size_t bytes;
static void* run(void* is_second) {
  for (int i = 0; i < 200; ++i) {
    if (is_second == NULL) block = malloc(bytes);
    pthread_barrier_wait(&barrier);
    if (is_second == NULL || !GOOD) free(block);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}
int main(int argc, char** argv) {
  const size_t n = bytes_of(argc, argv);
  bytes = n;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t second;
  pthread_create(&second, NULL, run, &barrier);
  run(NULL);
  pthread_join(second, NULL);
  return end();
}
