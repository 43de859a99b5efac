// pthread_atfork handlers that allocate and free, registered before any library's own (so that they
// run between its prepare handler and the fork) and after.
// @soak 5000
// @timeout 90
// @timeout[protocol] 280

#include <pthread.h>

#include "support/processes.h"

static void* block[2];
static int parents = 0;

static void before_fork(int which) {
  free(block[which]);
  block[which] = malloc(3000);
  fill_pattern(block[which], 3000, (uint64_t)which);
  for (size_t i = 0; i < 300; ++i) free(malloc(i * 20));
  free(calloc(1, 1 << 20));
}
static void after_fork(int which) {
  check_pattern(block[which], 3000, (uint64_t)which);
  block[which] = realloc(block[which], 6000);
  fill_pattern(block[which], 3000, (uint64_t)which);
  for (size_t i = 0; i < 300; ++i) free(malloc(i * 20));
}

static void prepare0(void) { before_fork(0); }
static void parent0(void) { after_fork(0), ++parents; }
static void child0(void) { after_fork(0); }
static void prepare1(void) { before_fork(1); }
static void parent1(void) { after_fork(1), ++parents; }
static void child1(void) { after_fork(1); }

static void register_first(void) { EXPECT(pthread_atfork(prepare0, parent0, child0) == 0); }
__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)(void) = register_first;

static void child(void* arg) {
  (void)arg;
  allocate_volume(1);
}

int main(int argc, char** argv) {
  int forks = argc > 1 ? atoi(argv[1]) : 80;
  allocate_volume(32);
  EXPECT(pthread_atfork(prepare1, parent1, child1) == 0);
  pthread_t threads[4];
  for (uintptr_t t = 0; t < 4; ++t)
    EXPECT(pthread_create(&threads[t], NULL, churn_thread, (void*)t) == 0);
  for (int i = 0; i < forks; ++i) expect_success(fork_child(child, NULL));
  EXPECT(parents == 2 * forks, "%d", parents);
  churn_stop = 1;
  for (int t = 0; t < 4; ++t) pthread_join(threads[t], NULL);
  return 0;
}
