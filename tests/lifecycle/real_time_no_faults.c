// The allocations of a real-time program take no page fault after the usual preparation, up to as
// much as was touched. In the preparation, nothing is given back, no block is mapped alone, all is
// locked, and the heap is touched once and freed. The allocations are small blocks, blocks larger
// than any hole that others have left, zeroed ones, growing ones, and a thread's. The same holds
// where the program locks nothing, or says only after it has touched the heap what is to be kept.
// @only mmt
// @timeout 120
// @needs locked-memory

#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "support/processes.h"

enum { kMiB = 1 << 20, kHeap = 100 * kMiB, kBlocks = 20000, kAttempts = 4, kMostFaults = 20 };

enum Way { kLocked, kKept, kKeptLate, kWays };

static char* blocks[kBlocks];
static pthread_barrier_t turn;
static long worst;

static long faults(void) {
  struct rusage usage;
  EXPECT(getrusage(RUSAGE_SELF, &usage) == 0);
  return usage.ru_minflt + usage.ru_majflt;
}

static void keep(void) {
  EXPECT(mallopt(M_TRIM_THRESHOLD, -1) == 1);
  EXPECT(mallopt(M_MMAP_MAX, 0) == 1);
}

static void touch(size_t bytes) {
  char* const heap = malloc(bytes);
  EXPECT(heap != NULL);
  for (size_t i = 0; i < bytes; i += 4096) heap[i] = 1;
  free(heap);
}

static void fill_and_free(char* block, size_t bytes) {
  EXPECT(block != NULL);
  memset(block, 1, bytes);
  free(block);
}

static void small_blocks(void) {
  for (int i = 0; i < kBlocks; ++i) {
    const size_t bytes = 50 + (size_t)i % 4000;
    blocks[i] = malloc(bytes);
    EXPECT(blocks[i] != NULL);
    memset(blocks[i], 1, bytes);
  }
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
}

static void large_block(void) { fill_and_free(malloc(30 * kMiB), 30 * kMiB); }
static void larger_block(void) { fill_and_free(malloc(80 * kMiB), 80 * kMiB); }
static void zeroed_block(void) { fill_and_free(calloc(60, kMiB), 60 * kMiB); }
static void aligned_block(void) { fill_and_free(memalign(kMiB, 50 * kMiB), 50 * kMiB); }

static void growing_block(void) {
  char* block = malloc(kMiB);
  for (size_t i = 4; i <= 60; i += 4) {
    block = realloc(block, i * kMiB);
    EXPECT(block != NULL);
    memset(block, 1, i * kMiB);
  }
  free(block);
}

static void step(const char* what, void (*body)(void)) {
  const long before = faults();
  body();
  const long taken = faults() - before;
  printf("%s %ld, ", what, taken);
  if (taken > worst) worst = taken;
}

static void* thread(void* unused) {
  (void)unused;
  free(malloc(100));
  pthread_barrier_wait(&turn);
  pthread_barrier_wait(&turn);
  step("thread", small_blocks);
  pthread_barrier_wait(&turn);
  return NULL;
}

// Status 77: it may not lock.
static void program(enum Way as) {
  for (int i = 0; i < kBlocks; ++i) *(char* volatile*)&blocks[i] = NULL;
  if (as != kKeptLate) keep();
  if (as == kLocked && mlockall(MCL_CURRENT | MCL_FUTURE) != 0) _exit(77);
  pthread_t other;
  EXPECT(pthread_barrier_init(&turn, NULL, 2) == 0);
  EXPECT(pthread_create(&other, NULL, thread, NULL) == 0);
  pthread_barrier_wait(&turn);
  printf(" ");
  touch(kHeap);
  if (as == kKeptLate) keep();
  usleep(1500000);
  step("small", small_blocks);
  step("large", large_block);
  step("zeroed", zeroed_block);
  step("growing", growing_block);
  step("aligned", aligned_block);
  pthread_barrier_wait(&turn);
  pthread_barrier_wait(&turn);
  EXPECT(pthread_join(other, NULL) == 0);
  step("larger", larger_block);
  printf("faults\n");
  fflush(stdout);
  _exit(worst > kMostFaults);
}

// Each as a program of its own: a fork's child takes faults for all that it shares.
int main(int count, char** arguments) {
  if (count > 1) program((enum Way)(arguments[1][0] - '0'));
  bool is_refused = false;  // mlockall
  for (int way = 0; way < kWays; ++way) {
    int status = 1;
    // More than once: under load a thread that does not run may hold the depot's lock for long.
    for (int i = 0; i < kAttempts && status != 0; ++i) {
      const char role[] = {(char)('0' + way), '\0'};
      status = wait_status(start_self(role), 30);
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 77) continue;
      is_refused = true;
      status = 0;
    }
    EXPECT(status == 0, "way %d: %#x", way, (unsigned)status);
  }
  return is_refused ? 77 : 0;
}
