// A filter answers calls about memory by SIGSYS, and the handler leaves by siglongjmp, before it
// has made the call or after. What was not in hand stays whole, and allocation goes on, on this
// thread and on others, that of large blocks too.
// @only mmt

#include <setjmp.h>

#include "support/processes.h"
#include "support/trapped_calls.h"

enum { kBlocks = 400, kJumps = 60 };

static sigjmp_buf out;
static volatile int armed = 0;
static volatile unsigned seen = 0;
static volatile int jumps = 0;

static void on_trap(int number, siginfo_t* info, void* context) {
  (void)number;
  (void)info;
  seen = seen + 1;
  const bool leaves = armed && seen % 3 != 0;
  if (!leaves || seen % 2 == 0) answer_trap(context);
  if (!leaves) return;
  armed = 0;
  jumps = jumps + 1;
  free(malloc(1000));
  siglongjmp(out, 1);
}

struct held {
  char* block;
  size_t size;
};

// One call that may be left at a time: what became of its block is not known then.
static void work(unsigned seed) {
  static struct held held[kBlocks];
  volatile uint64_t state = seed;
  volatile int rounds = 0;
  if (sigsetjmp(out, 1) != 0 && jumps > kJumps) return;
  for (; rounds < 20000; rounds = rounds + 1) {
    uint64_t s = state;
    const uint64_t r = next_random(&s);
    state = s;
    struct held* one = &held[r % kBlocks];
    const size_t size =
        r % 5 == 0 ? r / 7 % ((size_t)3 << 20) + 300000 : r / 7 % 6000 + sizeof(size_t);
    const struct held before = *one;
    if (before.block != NULL) check_pattern(before.block, before.size, before.size);
    one->block = NULL;
    armed = 1;
    char* block;
    if (r % 3 == 0) {
      block = realloc(before.block, size);
    } else {
      free(before.block);
      block = malloc(size);
    }
    armed = 0;
    EXPECT(block != NULL);
    fill_pattern(block, size, size);
    *one = (struct held){block, size};
  }
}

static void allocate_in_child(void* arg) {
  (void)arg;
  allocate_volume(16);
}

static void trapped(void* arg) {
  static const int calls[] = {SYS_munmap, SYS_madvise, SYS_mremap, SYS_mmap};
  const uintptr_t how = (uintptr_t)arg;
  trap_calls(calls, sizeof calls / sizeof calls[0], on_trap, how != 0);
  work(5 + (unsigned)how);
  EXPECT(jumps > 3, "%d", jumps);
  armed = 0;
  // Nobody waits for a thread that has left amid a call. This one does not end: libc gives a stack
  // back by a call that is trapped, with all signals blocked.
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, churn_thread, (void*)(uintptr_t)3) == 0);
  for (int i = 0; i < 200; ++i) free(memset(malloc((size_t)1 << 20), 1, (size_t)1 << 20));
  allocate_volume(64);
  expect_success(fork_child(allocate_in_child, NULL));
}

int main(void) {
  for (uintptr_t how = 0; how < 2; ++how) expect_success(fork_child(trapped, (void*)how));
  return 0;
}
