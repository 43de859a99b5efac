// The program ends while its threads allocate, write and free.
// sizes: small 500 page
// expect: ok
#include "harden/case.h"

static size_t bytes;
static void* run(void* unused) {
  char* blocks[32] = {NULL};
  for (unsigned i = 0;; ++i) {
    free(blocks[i % 32]);
    blocks[i % 32] = malloc(bytes);
    memset(blocks[i % 32], 's', bytes);
  }
  return unused;
}
int main(int argc, char** argv) {
  bytes = bytes_of(argc, argv);
  pthread_t thread;
  for (int i = 0; i < 4; ++i) pthread_create(&thread, NULL, run, NULL);
  usleep(20000);
  return end();
}
