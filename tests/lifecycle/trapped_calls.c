// A program's filter answers all calls about memory by SIGSYS, before its heap has grown or after,
// known to libc or not. The handler makes the call, in each of several threads; under an allocator
// that bears it, it allocates and frees, too.
// @args[mmt] allocates

#include "support/trapped_calls.h"

#include "support/processes.h"

enum { kThreads = 3, kKept = 16, kDeepest = 3 };

static __thread void* kept[kKept];
static __thread unsigned handled;
static bool allocates;
static __thread int depth;  // what the handler calls is trapped, too

static void on_trap(int number, siginfo_t* info, void* context) {
  static const size_t sizes[] = {24, 700, 5000, 300000};
  const int saved = errno;
  (void)number;
  (void)info;
  if (allocates && depth < kDeepest) {
    ++depth;
    void** place = &kept[handled % kKept];
    const size_t size = sizes[handled++ % 4];
    free(__atomic_exchange_n(place, NULL, __ATOMIC_RELAXED));
    char* block = calloc(1, size);
    EXPECT(block != NULL);
    block = realloc(block, size / 2 + handled % 900 + 1);
    EXPECT(block != NULL);
    free(__atomic_exchange_n(place, block, __ATOMIC_RELAXED));
    --depth;
  }
  answer_trap(context);
  errno = saved;
}

static void use(void) {
  enum { kBlocks = 3000 };
  static __thread char* blocks[kBlocks];
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kBlocks; ++i) {
      const size_t bytes = i % 250 == 3 ? (size_t)2 << 20 : 100 + (size_t)i % 5000;
      blocks[i] = malloc(bytes);
      EXPECT(blocks[i] != NULL);
      memset(blocks[i], i, 100);
    }
    for (int i = 3; i < kBlocks; i += 500) {
      blocks[i] = realloc(blocks[i], (size_t)5 << 20);
      EXPECT(blocks[i] != NULL && blocks[i][99] == (char)i);
      memset(blocks[i], 2, (size_t)5 << 20);
    }
    for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
    free(memset(malloc((size_t)40 << 20), 1, 4096));
    free(realloc(malloc((size_t)300 << 20), (size_t)400 << 20));
  }
  for (int i = 0; i < kKept; ++i) {
    free(kept[i]);
    kept[i] = NULL;
  }
}

static int done;

// It does not end: libc gives its stack back by a call that is trapped, with all signals blocked.
static void* use_as_thread(void* arg) {
  (void)arg;
  use();
  __atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
  while (done != 0) pause();
  return NULL;
}

static void use_in_child(void* arg) {
  (void)arg;
  use();
}

enum { kLate = 1, kUnseen = 2 };

static void trapped(void* arg) {
  static const int calls[] = {SYS_munmap, SYS_madvise, SYS_mremap, SYS_mmap};
  const uintptr_t how = (uintptr_t)arg;
  if (how & kLate) allocate_volume(16);
  trap_calls(calls, sizeof calls / sizeof calls[0], on_trap, (how & kUnseen) != 0);
  use();
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i)
    EXPECT(pthread_create(&threads[i], NULL, use_as_thread, NULL) == 0);
  while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < kThreads) usleep(1000);
  EXPECT(calls_trapped > 0);
  expect_success(fork_child(use_in_child, NULL));
}

int main(int argc, char** argv) {
  (void)argv;
  allocates = argc > 1;
  for (uintptr_t how = 0; how < 4; ++how) expect_success(fork_child(trapped, (void*)how));
  return 0;
}
