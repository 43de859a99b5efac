// A thread that holds a lock must be able to go on when a fork handler waits for that lock. A
// library guards its state across fork by the lock, which its threads hold while they allocate. The
// handlers of the library were registered before those of any other library. The handler before the
// fork waits for the lock. The test runs with a memory thread and without.
// @timeout 90
// @timeout[protocol] 280

#include <pthread.h>

#include "support/processes.h"

static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop = 0;

static void prepare(void) { pthread_mutex_lock(&state); }
static void release(void) { pthread_mutex_unlock(&state); }

static void register_first(void) { EXPECT(pthread_atfork(prepare, release, release) == 0); }
__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)(void) = register_first;

// Fresh spans at every turn: each is a slow path.
static void* allocate_under_lock(void* arg) {
  enum { kBlocks = 64, kBytes = 30000 };
  while (!stop) {
    void* blocks[kBlocks];
    pthread_mutex_lock(&state);
    for (int i = 0; i < kBlocks; ++i) EXPECT((blocks[i] = malloc(kBytes)) != NULL);
    for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
    pthread_mutex_unlock(&state);
    usleep(100);  // the lock is to become free
  }
  return arg;
}

static void child(void* arg) {
  (void)arg;
  allocate_volume(1);
}

int main(int argc, char** argv) {
  (void)argv;
  pthread_t threads[3];
  allocate_volume(32);
  for (int i = 0; i < 3; ++i)
    EXPECT(pthread_create(&threads[i], NULL, allocate_under_lock, NULL) == 0);
  for (int i = 0; i < 300; ++i) expect_success(fork_child(child, NULL));
  stop = 1;
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  if (argc > 1) return 0;
  EXPECT(setenv("MMT_OPTIONS", "server=off", 1) == 0);
  expect_success(start_self("direct"));
  return 0;
}
