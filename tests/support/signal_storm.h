// In a signal storm, a timer interrupts the calling thread every few microseconds, and the handler
// allocates, resizes, checks and frees. The next signal comes that long after the handler has
// ended, so the interrupted code gets on also on a machine that is slow. The tests signal_* share
// this header.
//
// The handler's blocks are in slots of its own thread (contents by id), and in a box. Both the
// handler and the interrupted code put blocks into the box and free blocks from it. Nothing but an
// allocator that can be re-entered survives this. The malloc of glibc cannot be re-entered, so
// these tests run under ours only.
#pragma once

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include "support/pattern.h"

// A test may choose another signal, and defines STORM_SIGNAL first.
#ifndef STORM_SIGNAL
#define STORM_SIGNAL SIGUSR1
#endif
enum { kStormSlots = 32 };

struct StormBlock {
  uint64_t size;  // also the id of the contents after this header
  char bytes[];
};

struct Storm {
  struct StormBlock* slots[kStormSlots];
  struct StormBlock* box;
  uint64_t seed;
  long signals;
  sigjmp_buf out;      // where the handler jumps to, when jump_every is not 0
  volatile int armed;  // out is set
  int jump_every;
  timer_t timer;
  long interval_ns;
};

static __thread struct Storm* storm;

static struct StormBlock* storm_fill(struct StormBlock* b, size_t size) {
  EXPECT(b != NULL, "size %zu", size);
  b->size = size;
  fill_pattern(b->bytes, size, size);
  return b;
}

static void storm_check(struct StormBlock* b) { check_pattern(b->bytes, b->size, b->size); }

// Puts b into the box shared with the interrupted code and frees what was there.
__attribute__((unused)) static void storm_swap_box(struct Storm* s, struct StormBlock* b) {
  b = __atomic_exchange_n(&s->box, b, __ATOMIC_SEQ_CST);
  if (b == NULL) return;
  storm_check(b);
  free(b);
}

static void storm_step(struct Storm* s) {
  uint64_t r = next_random(&s->seed);
  size_t size = r % 64 == 0 ? r / 64 % 100000 : r / 64 % 1500;
  struct StormBlock** slot = &s->slots[r / 7 % kStormSlots];
  struct StormBlock* b = *slot;
  *slot = NULL;
  if (b != NULL) storm_check(b);
  if (b != NULL && r % 4 == 0) {
    size_t before = b->size;
    b = (struct StormBlock*)realloc(b, sizeof *b + size);
    EXPECT(b != NULL);
    check_prefix(b->bytes, before < size ? before : size, before, before);
  } else {
    free(b);
    b = (struct StormBlock*)(r % 4 == 1 ? calloc(1, sizeof *b + size) : malloc(sizeof *b + size));
  }
  *slot = storm_fill(b, size);
  if (r % 3 == 0) {
    b = *slot;
    *slot = NULL;
    storm_swap_box(s, b);
  }
}

// Where the timer has just been deleted this does nothing.
static int storm_set_timer(const struct Storm* s) {
  struct itimerspec spec = {{0, 0}, {0, s->interval_ns}};
  return timer_settime(s->timer, 0, &spec, NULL);
}

static void storm_handler(int signal_number) {
  struct Storm* s = storm;
  int saved = errno;
  (void)signal_number;
  ++s->signals;
  for (int i = 0; i < 3; ++i) storm_step(s);
  storm_set_timer(s);
  errno = saved;
  if (s->jump_every != 0 && s->signals % s->jump_every == 0 && s->armed) {
    s->armed = 0;
    siglongjmp(s->out, 1);
  }
}

// Installs the handler for the process. flags: 0 or SA_ONSTACK.
__attribute__((unused)) static void storm_install(int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = storm_handler;
  action.sa_flags = SA_RESTART | flags;
  EXPECT(sigaction(STORM_SIGNAL, &action, NULL) == 0);
}

static void storm_mask(int how) {
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, STORM_SIGNAL);
  pthread_sigmask(how, &mask, NULL);
}

// Starts the storm on the calling thread.
__attribute__((unused)) static void storm_start(struct Storm* s, uint64_t seed, long interval_ns) {
  storm = s;
  s->seed = seed;
  storm_mask(SIG_UNBLOCK);
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = STORM_SIGNAL;
  event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
  EXPECT(timer_create(CLOCK_MONOTONIC, &event, &s->timer) == 0);
  s->interval_ns = interval_ns;
  EXPECT(storm_set_timer(s) == 0);
}

// Ends it, checks and frees what the handler still holds.
__attribute__((unused)) static void storm_stop(struct Storm* s) {
  s->armed = 0;
  timer_delete(s->timer);
  storm_mask(SIG_BLOCK);
  for (int i = 0; i < kStormSlots; ++i)
    if (s->slots[i] != NULL) {
      storm_check(s->slots[i]);
      free(s->slots[i]);
    }
  storm_swap_box(s, NULL);
}

// The work that is interrupted: slots of its own, the box, all functions, for `seconds`.
__attribute__((unused)) static long storm_victim(struct Storm* s, double seconds, uint64_t seed) {
  enum { kSlots = 200 };
  struct StormBlock* slots[kSlots] = {0};
  struct timespec start, now;
  long rounds = 0;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do {
    for (int i = 0; i < 200; ++i, ++rounds) {
      uint64_t r = next_random(&seed);
      size_t size = r % 100 == 0 ? r / 100 % 200000 : r / 100 % 700;
      uint64_t k = r / 3 % kSlots;
      struct StormBlock* b = slots[k];
      if (b != NULL) storm_check(b);
      if (b != NULL && r % 5 == 0) {
        b = (struct StormBlock*)realloc(b, sizeof *b + size);
      } else {
        free(b);
        b = (struct StormBlock*)malloc(sizeof *b + size);
      }
      slots[k] = storm_fill(b, size);
      if (r % 7 == 0) {
        slots[k] = NULL;
        storm_swap_box(s, b);
      }
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) * 1e-9 <
           seconds);
  for (int k = 0; k < kSlots; ++k)
    if (slots[k] != NULL) {
      storm_check(slots[k]);
      free(slots[k]);
    }
  return rounds;
}
