// Memory goes back to the system though a thread whose allocator state is gone frees much while the
// memory thread sleeps. The key destructors of that thread still run. The same holds with one
// usable CPU.
// @only mmt
// @timeout 200
// @memory-thread

#include <pthread.h>
#include <sched.h>

#include "support/processes.h"

enum { kBytes = 64 << 20, kSize = 4000, kBlocks = kBytes / kSize, kLeft = 5 };
static void* blocks[kBlocks];
static pthread_key_t key;

// Destructors run in rounds: in the third, those that libraries made have run twice.
static void free_late(void* round) {
  if ((intptr_t)round < 3) {
    pthread_setspecific(key, (void*)((intptr_t)round + 1));
    return;
  }
  sleep(5);  // the memory thread has given back what it could, and sleeps
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
}

static void* leave_to_destructor(void* arg) {
  free(malloc(10));
  EXPECT(pthread_setspecific(key, (void*)1) == 0);
  return arg;
}

static void free_at_thread_end(void* arg) {
  size_t start = resident_bytes();
  for (int i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc(kSize);
    EXPECT(blocks[i] != NULL);
    memset(blocks[i], 1, kSize);
  }
  EXPECT(resident_bytes() - start > kBytes / 10 * 9);
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, leave_to_destructor, NULL) == 0);
  pthread_join(thread, NULL);
  size_t now = resident_within(start + kBytes / kLeft);
  EXPECT(now <= start + kBytes / kLeft, "%zu MiB are left", (now - start) >> 20);
  (void)arg;
}

static void on_one_cpu(void* arg) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  EXPECT(sched_setaffinity(0, sizeof set, &set) == 0);
  free_at_thread_end(arg);
}

int main(void) {
  EXPECT(pthread_key_create(&key, free_late) == 0);
  free_at_thread_end(NULL);
  int status = wait_status(fork_child(on_one_cpu, NULL), 100);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%#x", (unsigned)status);
  return 0;
}
