// Coroutines on malloc'ed stacks (makecontext, swapcontext), which move between threads while their
// blocks live.

#include <pthread.h>
#include <ucontext.h>

#include "support/pattern.h"

enum { kCoroutines = 200, kStack = 32768, kRounds = 50 };

struct Coroutine {
  ucontext_t context;
  ucontext_t* back;
  void* stack;
  int done;
};
static struct Coroutine all[kCoroutines];

static void body(int which) {
  struct Coroutine* me = &all[which];
  void* block[10] = {0};
  for (uint64_t round = 0; round < kRounds; ++round) {
    for (uint64_t i = 0; i < 10; ++i) {
      if (block[i] != NULL) check_pattern(block[i], 100 + i * 40, i);
      free(block[i]);
      block[i] = malloc(100 + i * 40);
      fill_pattern(block[i], 100 + i * 40, i);
    }
    swapcontext(&me->context, me->back);
  }
  for (int i = 0; i < 10; ++i) free(block[i]);
  me->done = 1;
  swapcontext(&me->context, me->back);
}

// Each thread takes its turn at coroutine (round * 7 + thread): a barrier keeps them apart.
static pthread_barrier_t barrier;
static void* scheduler(void* arg) {
  int me = (int)(intptr_t)arg;
  ucontext_t here;
  for (int round = 0; round <= kRounds; ++round) {
    for (int i = 0; i < kCoroutines; ++i) {
      if ((i + round) % 4 != me || all[i].done) continue;
      all[i].back = &here;
      swapcontext(&here, &all[i].context);
    }
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_barrier_init(&barrier, NULL, 4);
  for (int i = 0; i < kCoroutines; ++i) {
    all[i].stack = malloc(kStack);
    EXPECT(getcontext(&all[i].context) == 0);
    all[i].context.uc_stack.ss_sp = all[i].stack;
    all[i].context.uc_stack.ss_size = kStack;
    makecontext(&all[i].context, (void (*)(void))(void*)body, 1, i);
  }
  pthread_t t[4];
  for (intptr_t i = 0; i < 4; ++i) EXPECT(pthread_create(&t[i], NULL, scheduler, (void*)i) == 0);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], NULL);
  for (int i = 0; i < kCoroutines; ++i) {
    EXPECT(all[i].done, "coroutine %d", i);
    free(all[i].stack);
  }
  return 0;
}
