// Threads exchange blocks while main forks at random moments. Each child checks and frees the
// blocks main held, empties the mailboxes and exchanges on. Some children have threads of their
// own, and some fork again. The blocks in the mailboxes are lost to the child, as a child's memory
// is no snapshot of one moment where other threads were writing.
// @args 12
// @soak 900
// @timeout 90

#include <pthread.h>

#include "support/exchange.h"
#include "support/processes.h"

enum { kBoxes = 512, kThreads = 6, kHeld = 1000 };
static struct Parcel* held[kHeld];
static struct Parcel* boxes[kBoxes];
static volatile int stop;

static void step(uint64_t* seed) {
  uint64_t r = next_random(seed);
  struct Parcel* p = parcel_new(seed, parcel_size(seed, 100000));
  p = __atomic_exchange_n(&boxes[r % kBoxes], p, __ATOMIC_ACQ_REL);
  if (p == NULL) return;
  parcel_check(p);
  if (r / kBoxes % 2) p = parcel_resize(p, parcel_size(seed, 100000), r);
  free(p);
}

static void* work(void* arg) {
  uint64_t seed = (uint64_t)(uintptr_t)arg;
  while (!stop) step(&seed);
  return NULL;
}

static void child(void* arg) {
  uint64_t seed = (uint64_t)(uintptr_t)arg;
  alarm(25);
  pthread_t t[2];
  stop = 0;
  for (int i = 0; i < kBoxes; ++i) boxes[i] = NULL;
  bool threads = seed % 3 == 0;
  for (uintptr_t i = 0; threads && i < 2; ++i)
    EXPECT(pthread_create(&t[i], NULL, work, (void*)(i + seed)) == 0);
  for (int i = 0; i < 3000; ++i) step(&seed);
  for (int i = (int)(seed % 2); i < kHeld; i += 2) {
    parcel_check(held[i]);
    free(held[i]);
    held[i] = parcel_new(&seed, 100);
  }
  if (seed % 8 == 0) expect_success(fork_child(child, (void*)(uintptr_t)(seed / 8 * 2 + 1)));
  stop = 1;
  for (int i = 0; threads && i < 2; ++i) pthread_join(t[i], NULL);
  for (int i = 0; i < kBoxes; ++i) {
    if (boxes[i] != NULL) parcel_check(boxes[i]);
    free(boxes[i]);
  }
}

int main(int argc, char** argv) {
  double seconds = argc > 1 ? atof(argv[1]) : 5;
  pthread_t t[kThreads];
  for (uintptr_t i = 0; i < kThreads; ++i) EXPECT(!pthread_create(&t[i], NULL, work, (void*)i));
  uint64_t seed = 99;
  int forks = 0;
  for (int i = 0; i < kHeld; ++i) held[i] = parcel_new(&seed, parcel_size(&seed, 0));
  for (double end = seconds_now() + seconds; seconds_now() < end; forks += 2) {
    usleep((useconds_t)(next_random(&seed) % 3000));
    pid_t first = fork_child(child, (void*)(uintptr_t)next_random(&seed));
    pid_t second = fork_child(child, (void*)(uintptr_t)next_random(&seed));
    expect_success(first);
    expect_success(second);
    for (int i = 0; i < kHeld; ++i) parcel_check(held[i]);
  }
  stop = 1;
  for (int i = 0; i < kThreads; ++i) pthread_join(t[i], NULL);
  printf("%d forks\n", forks);
  EXPECT(forks > 10);
  return 0;
}
