// Real-time threads on every CPU leave the memory thread nothing, be it an ordinary thread or of
// their class, as the main thread is. Their calls do not wait for it, and the process's memory
// stays near what they use.
// @only mmt
// @root
// @needs real-time
// @memory-thread
// @serial
// @timeout 120

#include <pthread.h>

#include "support/threads.h"

enum { kThreads = 64, kBlocks = 2000, kRounds = 100, kMeanBytes = 16 + 500 };
static const size_t kLiveBytes = (size_t)kThreads * kBlocks * kMeanBytes;
static const long kCalls = 2L * kThreads * kBlocks * kRounds;

static pthread_barrier_t together;

static void become(int policy, int priority) {
  const struct sched_param values = {.sched_priority = priority};
  EXPECT(pthread_setschedparam(pthread_self(), policy, &values) == 0);
}

// How often the calling thread has slept.
static long sleeps(void) {
  struct rusage usage;
  EXPECT(getrusage(RUSAGE_THREAD, &usage) == 0);
  return usage.ru_nvcsw;
}

static void* work(void* arg) {
  become(SCHED_RR, 10);
  void* blocks[kBlocks] = {0};
  uint64_t seed = (uintptr_t)arg;
  pthread_barrier_wait(&together);
  const long before = sleeps();
  for (int i = 0; i < kBlocks * kRounds; ++i) {
    const size_t bytes = 16 + next_random(&seed) % 1000;
    void** const block = &blocks[i % kBlocks];
    free(*block);
    *block = malloc(bytes);
    memset(*block, i, bytes);
  }
  const long slept = sleeps() - before;
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
  return (void*)slept;
}

static void program(void* main_class) {
  EXPECT(memory_thread() != 0);
  if (main_class != NULL) {
    become(SCHED_FIFO, 5);
    EXPECT(same_schedule(schedule_of(other_thread()), schedule_of(0)));
  }
  EXPECT(pthread_barrier_init(&together, NULL, kThreads) == 0);
  pthread_t threads[kThreads];
  for (uintptr_t i = 0; i < kThreads; ++i)
    EXPECT(pthread_create(&threads[i], NULL, work, (void*)(i + 1)) == 0);
  long slept = 0;
  for (int i = 0; i < kThreads; ++i) {
    void* own = NULL;
    EXPECT(pthread_join(threads[i], &own) == 0);
    slept += (long)own;
  }
  struct rusage usage;
  EXPECT(getrusage(RUSAGE_SELF, &usage) == 0);
  const size_t peak = (size_t)usage.ru_maxrss << 10;
  printf("slept %ld times in %ld calls, peak %zu MiB of %zu\n", slept, kCalls, peak >> 20,
         kLiveBytes >> 20);
  fflush(stdout);
  EXPECT(slept < kCalls / 1000, "%ld", slept);
  EXPECT(peak < kLiveBytes + kLiveBytes / 4 + ((size_t)16 << 20), "%zu", peak);
}

int main(void) {
  expect_success(fork_child(program, NULL));
  expect_success(fork_child(program, "FIFO"));
  return 0;
}
