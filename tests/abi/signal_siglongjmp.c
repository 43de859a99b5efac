// The handler leaves by siglongjmp, out of any point of malloc, free or realloc, thousands of
// times. Blocks that were allocated before stay intact, and allocation goes on, on this thread and
// on others. The block in hand is lost with each jump, in any malloc. The same then happens once
// more beside threads that hold blocks, so many that all keep as little as they can.
// @only mmt
// @soak 600

#include "support/signal_storm.h"

enum { kThreads = 3, kHolders = 40 };
static struct Storm storms[kThreads];
static double seconds = 3;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// One call that may be interrupted and left at a time. A slot is cleared before its block is freed
// or resized: after a jump nobody knows what became of that block, so it is forgotten.
static void work_until(struct Storm* s, double end) {
  enum { kSlots = 300 };
  struct StormBlock* volatile slots[kSlots];
  volatile uint64_t seed = 17;
  const double large_until = now() + 3;  // the block in hand is lost: a soak loses small ones only
  volatile long jumps = 0;
  volatile long rounds = 0;
  for (int i = 0; i < kSlots; ++i) slots[i] = NULL;
  if (sigsetjmp(s->out, 1) != 0) jumps = jumps + 1;
  s->armed = 1;
  while (now() < end) {
    for (int i = 0; i < 50; ++i) {
      uint64_t state = seed;
      uint64_t r = next_random(&state);
      seed = state;
      uint64_t k = r / 11 % kSlots;
      bool large = r % 200 == 0 && now() < large_until;
      size_t size = large ? r / 200 % 300000 : r / 200 % 900;
      struct StormBlock* b = slots[k];
      if (b != NULL) storm_check(b);
      slots[k] = NULL;
      if (b != NULL && r % 5 == 0) {
        b = realloc(b, sizeof *b + size);
      } else {
        free(b);
        b = malloc(sizeof *b + size);
      }
      slots[k] = storm_fill(b, size);
      rounds = rounds + 1;
    }
  }
  s->armed = 0;
  storm_stop(s);
  for (int k = 0; k < kSlots; ++k)
    if (slots[k] != NULL) {
      storm_check(slots[k]);
      free(slots[k]);
    }
  EXPECT(jumps > 100, "%ld jumps, %ld signals", jumps, s->signals);
  EXPECT(rounds > 1000, "%ld", rounds);
}

static void* work(void* arg) {
  struct Storm* s = arg;
  s->jump_every = 3;
  storm_start(s, (uint64_t)(s - storms) + 5, 50000);
  work_until(s, now() + seconds);
  return NULL;
}

static void work_on_all(void) {
  pthread_t threads[kThreads - 1];
  for (int t = 1; t < kThreads; ++t)
    EXPECT(!pthread_create(&threads[t - 1], NULL, work, &storms[t]));
  work(&storms[0]);
  for (int t = 1; t < kThreads; ++t) pthread_join(threads[t - 1], NULL);
}

static pthread_barrier_t held, done;

static void* hold(void* arg) {
  (void)arg;
  void* block = malloc(100);
  pthread_barrier_wait(&held);
  pthread_barrier_wait(&done);
  free(block);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc > 1) seconds = atof(argv[1]);
  storm_install(0);
  work_on_all();
  pthread_t holders[kHolders];
  pthread_barrier_init(&held, NULL, kHolders + 1);
  pthread_barrier_init(&done, NULL, kHolders + 1);
  for (int t = 0; t < kHolders; ++t) EXPECT(!pthread_create(&holders[t], NULL, hold, NULL));
  pthread_barrier_wait(&held);
  memset(storms, 0, sizeof storms);
  work_on_all();
  pthread_barrier_wait(&done);
  for (int t = 0; t < kHolders; ++t) pthread_join(holders[t], NULL);
  return 0;
}
