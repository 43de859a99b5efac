// A prepare handler that runs between the library's own and the fork forks itself. Other threads
// allocate all the while, and go on when both forks are over; so do both children.
// @timeout 90
// @timeout[protocol] 280

#include <pthread.h>

#include "support/processes.h"

static int within;
static int inner_forks;

static void child(void* arg) {
  (void)arg;
  allocate_volume(2);
}

static void prepare(void) {
  if (within) return;
  within = 1;
  expect_success(fork_child(child, NULL));
  within = 0;
  ++inner_forks;
}

// Registered before any library's handlers: prepare handlers run in reverse order.
static void register_first(void) { EXPECT(pthread_atfork(prepare, NULL, NULL) == 0); }
__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)(void) = register_first;

int main(void) {
  enum { kThreads = 3, kForks = 50 };
  pthread_t threads[kThreads];
  allocate_volume(8);
  for (uintptr_t t = 0; t < kThreads; ++t)
    EXPECT(pthread_create(&threads[t], NULL, churn_thread, (void*)t) == 0);
  for (int i = 0; i < kForks; ++i) {
    expect_success(fork_child(child, NULL));
    allocate_volume(1);
  }
  EXPECT(inner_forks == kForks, "%d", inner_forks);
  churn_stop = 1;
  for (int t = 0; t < kThreads; ++t) pthread_join(threads[t], NULL);
  return 0;
}
