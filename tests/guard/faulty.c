// A program with the error that its argument names, in a loop of many allocations; or with none.
// What it does wrong does no harm to blocks that are not guarded.
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kRounds = 200000, kBytes = 40, kRows = 500, kThreads = 4 };

static volatile char seen;

// A heap's block of so many bytes has room for some more, a guarded one has not.
static int is_guarded(void* block) { return malloc_usable_size(block) == kBytes; }

__attribute__((noinline)) char* make_block(size_t bytes) {
  char* const block = malloc(bytes);
  memset(block, 1, bytes);
  return block;
}
__attribute__((noinline)) char* make_indirectly(size_t bytes) {
  char* const block = make_block(bytes);
  block[0] = 2;
  return block;
}
__attribute__((noinline)) void drop_block(void* block) {
  free(block);
  seen = 0;
}

static void overflow(void) {
  for (int i = 0; i < kRounds; ++i) {
    volatile char* const block = make_indirectly(48);
    block[48] = block[48];
    drop_block((void*)block);
  }
}
// One byte behind, on the block's own page.
static void slack(void) {
  for (int i = 0; i < kRounds; ++i) {
    char* const block = make_indirectly(kBytes);
    if (is_guarded(block)) block[kBytes] = 7;
    drop_block(block);
  }
}
static void overread(void) {
  for (int i = 0; i < kRounds; ++i) {
    volatile char* const block = make_indirectly(64);
    seen = block[64];
    drop_block((void*)block);
  }
}
// There may be nothing at all before a heap's first block.
static void underflow(void) {
  for (int i = 0; i < kRounds; ++i) {
    volatile char* const block = make_indirectly(kBytes);
    if (is_guarded((void*)block)) block[-1] = 5;
    drop_block((void*)block);
  }
}
static void read_after_free(void) {
  for (int i = 0; i < kRounds; ++i) {
    volatile char* const block = make_indirectly(kBytes);
    drop_block((void*)block);
    seen = block[8];
  }
}
static void write_after_free(void) {
  for (int i = 0; i < kRounds; ++i) {
    volatile char* const block = make_indirectly(kBytes);
    const int is_ours = is_guarded((void*)block);
    drop_block((void*)block);
    if (is_ours) block[9] = 3;
  }
}
static void double_free(void) {
  for (int i = 0; i < kRounds; ++i) {
    char* const block = make_indirectly(kBytes);
    const int is_ours = is_guarded(block);
    drop_block(block);
    if (is_ours) drop_block(block);
  }
}
static void invalid_free(void) {
  for (int i = 0; i < kRounds; ++i) {
    char* const block = make_indirectly(kBytes);
    if (is_guarded(block)) drop_block(block + 16);
    drop_block(block);
  }
}
static void stale_realloc(void) {
  for (int i = 0; i < kRounds; ++i) {
    char* block = make_indirectly(kBytes);
    const int is_ours = is_guarded(block);
    drop_block(block);
    if (!is_ours) continue;
    block = realloc(block, 100);
    if (block[8] != 1) abort();
    free(block);
  }
}

static void need(int is_so, const char* what) {
  if (is_so) return;
  fprintf(stderr, "wrong: %s\n", what);
  abort();
}

// All that a program may do, to blocks of all sizes, which hold what was written to them.
static void be_good(unsigned seed) {
  static __thread struct {
    unsigned char* block;
    size_t bytes;
    unsigned char byte;
  } rows[kRows];
  for (int i = 0; i < kRounds; ++i) {
    seed = seed * 1103515245 + 12345;
    const unsigned random = seed >> 8;
    const size_t at = random % kRows;
    const size_t bytes = random % 50 == 0 ? random % 70000 : random % 300;
    unsigned char* const before = rows[at].block;
    for (size_t j = 0; j < rows[at].bytes; j += 13) need(before[j] == rows[at].byte, "a byte");
    unsigned char* block = NULL;
    switch (random % 7) {
      case 0:
        block = calloc(1, bytes);
        for (size_t j = 0; j < bytes; ++j) need(block[j] == 0, "calloc");
        free(before);
        break;
      case 1: {
        block = realloc(before, bytes + 1);
        const size_t kept = bytes < rows[at].bytes ? bytes : rows[at].bytes;
        for (size_t j = 0; j < kept; ++j) need(block[j] == rows[at].byte, "realloc");
        break;
      }
      case 2: {
        const size_t alignment = (size_t)16 << random % 10;
        need(posix_memalign((void**)&block, alignment, bytes) == 0, "posix_memalign");
        need((uintptr_t)block % alignment == 0, "alignment");
        free(before);
        break;
      }
      default:
        free(before);
        block = malloc(bytes);
    }
    need((uintptr_t)block % 16 == 0 && malloc_usable_size(block) >= bytes, "the block");
    rows[at].block = block;
    rows[at].bytes = bytes;
    rows[at].byte = (unsigned char)i;
    memset(block, i, malloc_usable_size(block));
  }
  for (int i = 0; i < kRows; ++i) free(rows[i].block);
  memset(rows, 0, sizeof rows);
}

static void* run_good(void* seed) {
  be_good((unsigned)(uintptr_t)seed);
  return NULL;
}
static void good(void) { be_good(1); }
static void good_threads(void) {
  pthread_t threads[kThreads];
  for (uintptr_t i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, run_good, (void*)i);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
}

static void* pass_on(void* to) {
  char** const slots = to;
  for (int i = 0; i < kRounds; ++i) {
    char* const block = malloc(i % 200);
    char* const other = __atomic_exchange_n(&slots[i % 64], block, __ATOMIC_ACQ_REL);
    free(other);
  }
  return NULL;
}
static void* run_faulty(void* unused) {
  read_after_free();
  write_after_free();
  double_free();
  return unused;
}
static void threads(void) {
  pthread_t all[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&all[i], NULL, run_faulty, NULL);
  good();
  for (int i = 0; i < kThreads; ++i) pthread_join(all[i], NULL);
}
// Blocks that one thread allocates and another frees.
static void good_exchange(void) {
  static char* slots[64];
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, pass_on, slots);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
}

static int child_status(void (*run)(void)) {
  const pid_t child = fork();
  if (child == 0) {
    run();
    exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
// Children are good while other threads are amid something, and the parent's blocks are theirs too.
static void good_forks(void) {
  pthread_t thread;
  static char* slots[64];
  pthread_create(&thread, NULL, pass_on, slots);
  char* blocks[kRows];
  for (int i = 0; i < kRows; ++i) blocks[i] = make_block(kBytes);
  for (int round = 0; round < 3; ++round) need(child_status(good) == 0, "a good child");
  for (int i = 0; i < kRows; ++i) need(blocks[i][3] == 1, "a block");
  for (int i = 0; i < kRows; ++i) free(blocks[i]);
  pthread_join(thread, NULL);
}
static void child_reads_after_free(void) {
  need(child_status(read_after_free) == 1, "the child's status");
}

static char* page;
static volatile int faults;
static void on_fault(int number, siginfo_t* info, void* context) {
  (void)number;
  (void)context;
  need((char*)info->si_addr == page + 5, "a fault that is not the program's");
  ++faults;
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
}
static void watch_own_faults(void) {
  const struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
  struct sigaction now;
  sigaction(SIGSEGV, NULL, &now);
  need(now.sa_sigaction == on_fault, "the handler is another");
  page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void fault_once(void) {
  const int before = faults;
  page[5] = 1;
  need(faults == before + 1, "the handler was not called");
  mprotect(page, 4096, PROT_NONE);
}
// The program sees its own faults, and those alone.
static void handler(void) {
  watch_own_faults();
  fault_once();
  read_after_free();
  fault_once();
}
static void good_handler(void) {
  watch_own_faults();
  fault_once();
  good();
  fault_once();
}
// By the default action.
static void crash(void) {
  good();
  *(volatile char*)8 = 1;
}

static void in_handler(int number) {
  (void)number;
  for (int i = 0; i < 20; ++i) free(make_block((size_t)i));
}
// A handler that allocates comes at any time.
static void good_signals(void) {
  signal(SIGALRM, in_handler);
  const struct timeval often = {0, 200};
  const struct itimerval timer = {often, often};
  setitimer(ITIMER_REAL, &timer, NULL);
  good();
  const struct itimerval none = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &none, NULL);
}

static const struct {
  const char* name;
  void (*run)(void);
} kAll[] = {
    {"overflow", overflow},
    {"slack", slack},
    {"overread", overread},
    {"underflow", underflow},
    {"read-after-free", read_after_free},
    {"write-after-free", write_after_free},
    {"double-free", double_free},
    {"invalid-free", invalid_free},
    {"stale-realloc", stale_realloc},
    {"threads", threads},
    {"good", good},
    {"good-threads", good_threads},
    {"good-exchange", good_exchange},
    {"good-forks", good_forks},
    {"child", child_reads_after_free},
    {"handler", handler},
    {"good-handler", good_handler},
    {"good-signals", good_signals},
    {"crash", crash},
};

int main(int count, char** arguments) {
  for (size_t i = 0; i < sizeof kAll / sizeof *kAll; ++i) {
    if (count != 2 || strcmp(arguments[1], kAll[i].name) != 0) continue;
    kAll[i].run();
    puts("done");
    return 0;
  }
  return 2;
}
