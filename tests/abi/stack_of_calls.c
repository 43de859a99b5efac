// No call of the malloc family takes more than 1.2 KiB of stack, on any thread, in a handler, or in
// a fork's child. Coroutines and handlers have small stacks.
// @env LD_BIND_NOW=1
// @without harden libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4
// libtbbmalloc_proxy.so.2

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include "support/processes.h"

enum { kStack = 64 << 10, kMost = 1228, kBlocks = 8000, kUntouched = 0x5a };

static unsigned char* stack;
static __thread ucontext_t back, coroutine;

static void nothing(void) {}

static void* kept[kBlocks];
static void small_blocks(void) {
  for (int i = 0; i < kBlocks; ++i) kept[i] = malloc(1 + (size_t)i * 7 % 1200);
}
static void frees(void) {
  for (int i = 0; i < kBlocks; ++i) free(kept[i]);
}
static void small_blocks_again(void) {
  for (int i = 0; i < kBlocks; ++i) kept[i] = malloc(32);
  frees();
}
static void all_sizes(void) {
  for (size_t size = 1; size < (size_t)6 << 20; size += size / 8 + 1) {
    void* p = malloc(size);
    void* q = calloc(1, size);
    p = realloc(p, 2 * size);
    q = realloc(q, size / 3 + 1);
    free(p);
    free(q);
  }
}
static void aligned_blocks(void) {
  for (size_t alignment = 16; alignment <= (size_t)4 << 20; alignment *= 4)
    for (size_t size = 1; size < (size_t)1 << 20; size = size * 3 + 1) {
      void* p = NULL;
      void* q = memalign(alignment, size);
      EXPECT(posix_memalign(&p, alignment, size) == 0);
      EXPECT(malloc_usable_size(p) >= size);
      free(q);
      free(p);
    }
}
static void trims(void) { malloc_trim(0); }
static void tells(void) { kept[0] = (void*)mallinfo2().uordblks; }
// A list through the blocks themselves, until none is to be had.
static void last_blocks(void) {
  void** list = NULL;
  for (size_t size = 1 << 20; size >= 16; size /= 2)
    for (void** block; (block = malloc(size)) != NULL; list = block) *block = list;
  while (list != NULL) {
    void** next = *list;
    free(list);
    list = next;
  }
}

static void (*const kCalls[])(void) = {nothing,   small_blocks,   frees, small_blocks_again,
                                       all_sizes, aligned_blocks, trims, tells};
static const char* const kNames[] = {"nothing",   "small blocks", "frees", "small blocks again",
                                     "all sizes", "aligned",      "trim",  "mallinfo2"};
enum { kCount = sizeof kCalls / sizeof *kCalls };

static size_t untouched(void) {
  size_t bytes = 0;
  while (stack[bytes] == kUntouched) ++bytes;
  return bytes;
}

static size_t used_in_coroutine(void (*call)(void)) {
  memset(stack, kUntouched, kStack);
  getcontext(&coroutine);
  coroutine.uc_stack.ss_sp = stack;
  coroutine.uc_stack.ss_size = kStack;
  coroutine.uc_link = &back;
  makecontext(&coroutine, call, 0);
  swapcontext(&back, &coroutine);
  return kStack - untouched();
}

static void (*volatile in_handler)(void);  // raise is said to call nothing of ours
static void handler(int number) {
  (void)number;
  in_handler();
}
static size_t used_in_handler(void (*call)(void)) {
  memset(stack, kUntouched, kStack);
  in_handler = call;
  raise(SIGUSR1);
  return kStack - untouched();
}

static void expect_little(size_t (*used)(void (*)(void)), const char* where) {
  size_t least = used(nothing);
  for (int i = 0; i < kCount; ++i) {
    size_t more = used(kCalls[i]) - least;
    EXPECT(more <= kMost, "%s, %s: %zu bytes", where, kNames[i], more);
  }
}

static void* on_thread(void* unused) {
  expect_little(used_in_coroutine, "a thread's first calls");
  return unused;
}

static void without_memory(void) {
  struct rlimit limit;
  long pages;
  FILE* f = fopen("/proc/self/statm", "r");
  EXPECT(f != NULL && fscanf(f, "%ld", &pages) == 1);
  fclose(f);
  limit.rlim_cur = limit.rlim_max = (rlim_t)pages * 4096 + (200 << 20);
  EXPECT(setrlimit(RLIMIT_AS, &limit) == 0);
  size_t more = used_in_coroutine(last_blocks) - used_in_coroutine(nothing);
  EXPECT(more <= kMost, "without memory: %zu bytes", more);
}

static void all(void) {
  expect_little(used_in_coroutine, "in a coroutine");
  expect_little(used_in_handler, "in a handler");
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, on_thread, NULL) == 0);
  pthread_join(thread, NULL);
}

static void in_child(void* unused) {
  (void)unused;
  all();
  without_memory();
}

int main(int argc, char** argv) {
  (void)argv;
  stack = mmap(NULL, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack_t alternate = {.ss_sp = stack, .ss_size = kStack};
  EXPECT(sigaltstack(&alternate, NULL) == 0);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  EXPECT(sigaction(SIGUSR1, &action, NULL) == 0);
  all();
  expect_success(fork_child(in_child, NULL));
  if (argc > 1) return 0;
  // The same without a memory thread, and with one from the first block on.
  static const char* const kOptions[] = {"server=off", "server=on:start=0:huge_pages=on"};
  for (int i = 0; i < 2; ++i) {
    setenv("MMT_OPTIONS", kOptions[i], 1);
    expect_success(start_self("again"));
  }
  return 0;
}
