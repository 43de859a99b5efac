// No call of the library needs more than a page or two of stack. The threads have the smallest
// stack there is, and signal handlers run on the smallest alternate stack.

#include <limits.h>
#include <pthread.h>

#include "support/processes.h"

static void handler(int signal_number) {
  (void)signal_number;
  free(malloc(100));
  free(calloc(1, 50000));
  free(realloc(malloc(10), 5000));
}

static void* work(void* arg) {
  uint64_t seed = (uint64_t)(uintptr_t)arg;
  if (under_mmt()) raise(SIGUSR1);
  void* last = NULL;
  for (int i = 0; i < 3000; ++i) {
    uint64_t r = next_random(&seed);
    void* p = malloc(r % 3000);
    free(last);
    last = realloc(p, r / 3000 % 100000 + 1);
    if (i % 500 == 0) free(calloc(1, 5 << 20));
    void* aligned = NULL;
    EXPECT(posix_memalign(&aligned, 4096, 100) == 0);
    free(aligned);
  }
  free(last);
  return NULL;
}

int main(void) {
  stack_t alternate = {.ss_size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 4096};
  alternate.ss_sp = malloc(alternate.ss_size);
  EXPECT(sigaltstack(&alternate, NULL) == 0);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  EXPECT(sigaction(SIGUSR1, &action, NULL) == 0);
  raise(SIGUSR1);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  EXPECT(pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN) == 0);
  for (int round = 0; round < 30; ++round) {
    pthread_t t[8];
    for (uintptr_t i = 0; i < 8; ++i)
      EXPECT(pthread_create(&t[i], &attributes, work, (void*)(i + (uintptr_t)round)) == 0);
    for (int i = 0; i < 8; ++i) pthread_join(t[i], NULL);
  }
  return 0;
}
