// A thread's stack has no pages at first. A handler of SIGSEGV, on a stack of its own, makes each
// page usable as it is reached. The handler allocates under an allocator that bears it. A page is
// reached amid malloc, calloc, realloc and free of all sizes, at each distance from the page's end.
// @args[mmt] allocates

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "support/processes.h"

enum { kStackBytes = 1 << 20, kReadyBytes = 64 << 10, kPage = 4096, kMostFrames = 220 };

static char* stack;
static volatile long grown = 0;
static bool may_allocate, allocates;

static void on_fault(int number, siginfo_t* info, void* context) {
  char* const at = (char*)((uintptr_t)info->si_addr & ~(uintptr_t)(kPage - 1));
  (void)number;
  (void)context;
  if (at < stack || at >= stack + kStackBytes) _exit(3);
  if (mprotect(at, kPage, PROT_READ | PROT_WRITE) != 0) _exit(4);
  if (allocates) free(malloc(100 + (size_t)grown % 900));
  grown = grown + 1;
}

static void call_all(unsigned depth) {
  static char* kept[256];
  static char* large[8];
  const unsigned k = depth % 256;
  free(kept[k]);
  kept[k] = depth % 3 == 0 ? calloc(1, depth * 41 % 9000) : malloc(depth * 37 % 40000);
  EXPECT(kept[k] != NULL);
  if (depth % 5 == 0) kept[k] = realloc(kept[k], depth * 91 % 60000 + 1);
  if (depth % 4 != 0) return;
  free(large[depth / 4 % 8]);
  large[depth / 4 % 8] = malloc(300000 + (size_t)depth * 9000);
}

static __attribute__((noinline)) void descend(unsigned frames, unsigned depth) {
  volatile char frame[72];
  frame[0] = frame[71] = 1;
  call_all(depth);
  if (frames > 1) descend(frames - 1, depth + 1);
  frame[1] = frame[71];
}

static void* use(void* arg) {
  (void)arg;
  char alternate[32 << 10];
  stack_t own = {.ss_sp = alternate, .ss_size = sizeof alternate};
  EXPECT(sigaltstack(&own, NULL) == 0);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  EXPECT(sigaction(SIGSEGV, &action, NULL) == 0);
  char* const ready = stack + kStackBytes - kReadyBytes;
  for (unsigned round = 0; round < 260; ++round) {
    volatile char shift[16 * (round % 61) + 16];
    shift[0] = shift[1] = 1;
    (void)shift[1];
    allocates = may_allocate && round % 2 == 0;
    EXPECT(mprotect(stack, (size_t)(ready - stack), PROT_NONE) == 0);
    descend(kMostFrames + round * 7 % 200, round * 13);
  }
  EXPECT(grown > 260, "%ld", grown);
  own.ss_flags = SS_DISABLE;
  sigaltstack(&own, NULL);
  return NULL;
}

int main(int argc, char** argv) {
  (void)argv;
  may_allocate = argc > 1;
  pthread_attr_t attributes;
  pthread_t thread;
  allocate_volume(16);
  stack = mmap(NULL, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT(stack != MAP_FAILED);
  EXPECT(pthread_attr_init(&attributes) == 0);
  EXPECT(pthread_attr_setstack(&attributes, stack, kStackBytes) == 0);
  EXPECT(pthread_create(&thread, &attributes, use, NULL) == 0);
  pthread_join(thread, NULL);
  printf("%ld pages\n", grown);
  return 0;
}
