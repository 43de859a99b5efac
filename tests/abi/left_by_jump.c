// A handler of a forced signal leaves malloc's functions for good by siglongjmp. The jumps lead out
// of realloc's copy of a block with a protected page, and out of calls that find no stack any more.
// The heap then serves as before: it gives more than any reserve holds. With several threads glibc
// itself is left with its lock held.
// @args threads
// @args[glibc] alone
// @args[protocol] alone
// @timeout 120

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "support/processes.h"

enum { kPage = 4096, kBlocks = 20000, kStack = 256 << 10 };

static __thread sigjmp_buf back;
static void* volatile kept;

static void leave(int number) {
  (void)number;
  siglongjmp(back, 1);
}

static void use_heap(void) {
  static void* blocks[kBlocks];
  for (int i = 0; i < 100000; ++i) {
    char* volatile block = malloc(100 + (size_t)i % 3000);
    EXPECT(block != NULL, "pair %d", i);
    *block = 1;
    free(block);
  }
  for (int i = 0; i < kBlocks; ++i) {
    char* volatile block = blocks[i] = malloc(kPage);
    EXPECT(block != NULL, "block %d", i);
    *block = 1;
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
}

static void leave_realloc(size_t from, size_t to) {
  char* const block = malloc(from);
  memset(block, 7, from);
  char* const page = (char*)(((uintptr_t)block + kPage) & ~(uintptr_t)(kPage - 1));
  EXPECT(mprotect(page, kPage, PROT_NONE) == 0);
  volatile int has_left = 0;
  if (sigsetjmp(back, 1) == 0)
    kept = realloc(block, to);
  else
    has_left = 1;
  EXPECT(mprotect(page, kPage, PROT_READ | PROT_WRITE) == 0);
  // Nothing has happened to the block, unless it was moved by its pages, or shrank as it was.
  if (has_left) EXPECT(block[0] == 7 && block[from - 1] == 7, "%zu to %zu", from, to);
}

enum call { kPair, kCleared, kGrown, kAligned, kCalls };
static volatile enum call call;

__attribute__((noinline)) static int recur(int depth, int step) {
  volatile char* const frame = __builtin_alloca((size_t)step);
  frame[0] = (char)depth;
  if (depth == INT32_MAX) return 0;  // never
  char* block = NULL;
  const size_t bytes = (size_t)depth % 900 + 1;
  switch (call) {
    case kCleared:
      block = calloc(1, bytes);
      break;
    case kGrown:
      block = realloc(malloc(bytes), bytes * 3);
      break;
    case kAligned:
      block = aligned_alloc(64, bytes);
      break;
    default:
      block = malloc(bytes);
  }
  free(block);
  return recur(depth + 1, step) + frame[0];
}

// The stack is used up many times.
static void* overflow(void* unused) {
  (void)unused;
  stack_t other = {
      .ss_sp = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      .ss_size = 1 << 16};
  EXPECT(sigaltstack(&other, NULL) == 0);
  for (volatile int round = 0; round < 64; ++round)
    if (sigsetjmp(back, 1) == 0) kept = (void*)(intptr_t)recur(0, 16 + 16 * round);
  use_heap();
  return NULL;
}

static void child_realloc(void* arg) {
  const size_t* const sizes = arg;
  leave_realloc(sizes[0], sizes[1]);
  use_heap();
}
static void child_overflow(void* arg) {
  call = *(const enum call*)arg;
  const struct rlimit limit = {1 << 20, 1 << 20};
  EXPECT(setrlimit(RLIMIT_STACK, &limit) == 0);
  overflow(NULL);
}
static void child_overflow_of_thread(void* arg) {
  call = *(const enum call*)arg;
  pthread_attr_t attributes;
  pthread_t thread;
  EXPECT(pthread_attr_init(&attributes) == 0 &&
         pthread_attr_setstacksize(&attributes, kStack) == 0);
  EXPECT(pthread_create(&thread, &attributes, overflow, NULL) == 0 &&
         pthread_join(thread, NULL) == 0);
}

int main(int count, char** words) {
  struct sigaction action = {.sa_handler = leave, .sa_flags = SA_ONSTACK};
  EXPECT(sigaction(SIGSEGV, &action, NULL) == 0 && sigaction(SIGBUS, &action, NULL) == 0);
  const size_t sizes[][2] = {{40000, 120000}, {9000, 20000}, {100000, 9000}, {300000, 900000}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    expect_success(fork_child(child_realloc, (void*)sizes[i]));
  const bool is_alone = count < 2 || strcmp(words[1], "threads") != 0;
  for (enum call one = kPair; one < kCalls; ++one) {
    expect_success(fork_child(child_overflow, &one));
    if (!is_alone) expect_success(fork_child(child_overflow_of_thread, &one));
  }
  return 0;
}
