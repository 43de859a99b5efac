// A program frees blocks whose pages it has protected, as write barriers and guards do; a handler
// takes the protection back, and allocates. Whoever touches such a block, the memory thread too, is
// answered. glibc bears no handler that allocates amid its own calls.
// @args[mmt] allocates
// @args[layered] allocates

#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>

#include "support/processes.h"

enum { kPage = 4096, kRounds = 30, kThreads = 2 };

static bool allocates;

static void on_fault(int number, siginfo_t* info, void* context) {
  static __thread int depth;
  (void)number;
  (void)context;
  if (allocates && depth == 0) {
    ++depth;
    free(realloc(malloc(300), 70000));
    --depth;
  }
  void* const page = (void*)((uintptr_t)info->si_addr & ~(uintptr_t)(kPage - 1));
  if (mprotect(page, kPage, PROT_READ | PROT_WRITE) != 0) _exit(9);
}

static void* use(void* arg) {
  static const size_t sizes[] = {kPage, 2 * kPage, 5 * kPage, 16 * kPage, 64 * kPage, 1 << 20};
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
      char* block = memalign(kPage, sizes[i]);
      EXPECT(block != NULL);
      memset(block, 5, sizes[i]);
      for (size_t at = 0; at < sizes[i]; at += (1 + i) * kPage)
        EXPECT(mprotect(block + at, kPage, round % 2 ? PROT_NONE : PROT_READ) == 0);
      if ((round + i) % 3 == 0) {
        block = realloc(block, 2 * sizes[i]);
        EXPECT(block != NULL && block[0] == 5 && block[sizes[i] - 1] == 5);
      }
      free(block);
    }
  }
  for (size_t i = 0; i < 20000; ++i) free(memset(malloc(i % 5000), 1, i % 5000));
  return arg;
}

static void child(void* with_allocation) {
  const struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
  allocates = with_allocation != NULL;
  EXPECT(sigaction(SIGSEGV, &action, NULL) == 0);
  allocate_volume(12);
  use(NULL);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) EXPECT(pthread_create(&threads[i], NULL, use, NULL) == 0);
  for (int i = 0; i < kThreads; ++i) EXPECT(pthread_join(threads[i], NULL) == 0);
}

int main(int argc, char** argv) {
  (void)argv;
  for (int i = 0; i < 4; ++i)
    expect_success(fork_child(child, argc > 1 && i % 2 ? (void*)1 : NULL));
  return 0;
}
