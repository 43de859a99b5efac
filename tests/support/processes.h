// Children of a test: waiting with a limit, starting the test program again in another role, and
// enough allocation that a memory thread is wanted.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "support/memory.h"
#include "support/pattern.h"

__attribute__((unused)) static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Waits for the child; a child that takes longer than `limit` seconds has hung: killed, test
// failed. Looks ever more seldom: many waiters that look often keep the kernel's threads from
// running. Needs no descriptor and no signal.
__attribute__((unused)) static int wait_status(pid_t child, double limit) {
  enum { kMostMicroseconds = 20000 };
  int status = 0;
  double end = seconds_now() + limit;
  EXPECT(child > 0);
  for (useconds_t pause = 100;; pause = pause < kMostMicroseconds ? pause * 2 : pause) {
    pid_t got = waitpid(child, &status, WNOHANG);
    EXPECT(got >= 0);
    if (got == child) return status;
    if (seconds_now() > end) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      EXPECT(false, "child %d hangs", (int)child);
    }
    usleep(pause);
  }
}

__attribute__((unused)) static void expect_success(pid_t child) {
  enum { kLimit = 120 };  // dozens of processes compute at once in some tests, on slow machines
  int status = wait_status(child, kLimit);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child status %#x", (unsigned)status);
}

// A child of fork that runs body(arg) and ends without the parent's handlers.
__attribute__((unused)) static pid_t fork_child(void (*body)(void*), void* arg) {
  pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    body(arg);
    _exit(0);
  }
  return child;
}

// Starts this program again with one argument; the same environment, so the same preload.
__attribute__((unused)) static pid_t start_self(const char* role) {
  pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    EXPECT(n > 0);
    path[n] = 0;
    execl(path, path, role, (char*)NULL);
    EXPECT(false, "exec %s", path);
  }
  return child;
}

// Allocates `megabytes` in blocks of many sizes, checks contents, frees all.
__attribute__((unused)) static void allocate_volume(size_t megabytes) {
  enum { kMany = 4096 };
  void** blocks = (void**)calloc(kMany, sizeof(void*));
  size_t* sizes = (size_t*)calloc(kMany, sizeof(size_t));
  size_t done = 0;
  EXPECT(blocks != NULL && sizes != NULL);
  for (uint64_t i = 0; done < megabytes << 20; ++i) {
    uint64_t k = i % kMany;
    if (blocks[k] != NULL) check_pattern(blocks[k], sizes[k], i - kMany);
    free(blocks[k]);
    sizes[k] = 16 + i * 2654435761u % 5000;
    blocks[k] = malloc(sizes[k]);
    EXPECT(blocks[k] != NULL);
    fill_pattern(blocks[k], sizes[k], i);
    done += sizes[k];
  }
  for (int k = 0; k < kMany; ++k) free(blocks[k]);
  free(blocks);
  free(sizes);
}

// A thread that allocates and frees until told to stop.
static volatile int churn_stop = 0;
__attribute__((unused)) static void* churn_thread(void* arg) {
  enum { kSlots = 500 };
  void* slots[kSlots] = {0};
  size_t sizes[kSlots] = {0};
  uint64_t seed = (uint64_t)(uintptr_t)arg;
  while (!churn_stop) {
    for (int i = 0; i < 200; ++i) {
      uint64_t r = next_random(&seed);
      uint64_t k = r % kSlots;
      if (slots[k] != NULL) check_pattern(slots[k], sizes[k], k);
      free(slots[k]);
      sizes[k] = r / 512 % (r % 64 == 0 ? 100000 : 1000);
      slots[k] = malloc(sizes[k]);
      EXPECT(slots[k] != NULL);
      fill_pattern(slots[k], sizes[k], k);
    }
  }
  for (int i = 0; i < kSlots; ++i) free(slots[i]);
  return NULL;
}
