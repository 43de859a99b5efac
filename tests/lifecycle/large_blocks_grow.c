// Large blocks cost no more faults and memory than under glibc alone, though room is kept ahead of
// glibc's heap. A block that grows by realloc grows where it is. Memory that calloc gives out is
// not touched. Memory that is freed again and again is not faulted in anew each time. This holds
// with one thread, and once there was another.
// @only protocol glibc
// @without phk hoard libjemalloc.so.2 libmimalloc.so.2 (which have ways of their own)

#include <pthread.h>
#include <sys/resource.h>

#include "support/processes.h"

enum { kKiB = 1024, kMiB = 1024 * kKiB, kPage = 4096 };

static void* nothing(void* arg) { return arg; }

static size_t faults(void) {
  struct rusage usage;
  EXPECT(getrusage(RUSAGE_SELF, &usage) == 0);
  return (size_t)usage.ru_minflt;
}

static void* kept = NULL;
static char* keep_small(void) {
  void** node = malloc(100);
  EXPECT(node != NULL);
  memset(node, 1, 100);
  *node = kept;
  kept = node;
  return (char*)node;
}

// Until there is room ahead, which may never be.
static void grow_heap(void) {
  for (int i = 0; i < 80000; ++i) keep_small();
  for (int i = 0; i < 200 && (char*)sbrk(0) - keep_small() < kMiB / 2; ++i) usleep(1000);
}

static char* grow(char* block, size_t from, size_t to) {
  block = realloc(block, to);
  EXPECT(block != NULL);
  memset(block + from, 1, to - from);
  return block;
}

// At most a fifth more than what is used.
static void expect_little_more(const char* what, size_t used, size_t faulted, size_t resident) {
  const size_t most = used + used / 5;
  EXPECT(faulted < most / kPage, "%s: %zu faults, at most %zu", what, faulted, most / kPage);
  EXPECT(resident < most, "%s: %zu KiB resident, at most %zu", what, resident / kKiB, most / kKiB);
}

static void grow_in_turn(void) {
  enum { kBlocks = 8, kStep = 256 * kKiB, kMost = 16 * kMiB };
  char* blocks[kBlocks] = {0};
  const size_t before = faults(), resident = resident_bytes();
  for (size_t bytes = 0; bytes < kMost; bytes += kStep) {
    for (int i = 0; i < kBlocks; ++i) blocks[i] = grow(blocks[i], bytes, bytes + kStep);
  }
  expect_little_more("in turn", (size_t)kBlocks * kMost, faults() - before,
                     resident_bytes() - resident);
  for (int i = 0; i < kBlocks; ++i) free(blocks[i]);
}

static void grow_between_small_ones(void) {
  const size_t before = faults(), resident = resident_bytes();
  char* block = NULL;
  size_t bytes = 0;
  for (size_t next = kKiB; next <= 64 * kMiB; next *= 2) {
    block = grow(block, bytes, next);
    bytes = next;
    for (int i = 0; i < 1000; ++i) keep_small();
  }
  expect_little_more("between small ones", bytes, faults() - before, resident_bytes() - resident);
  free(block);
}

static void grow_and_free(size_t most) {
  enum { kRounds = 40 };
  const size_t before = faults();
  for (int i = 0; i < kRounds; ++i) {
    char* block = NULL;
    for (size_t bytes = 0; bytes < most; bytes += 64 * kKiB) {
      block = grow(block, bytes, bytes + 64 * kKiB);
    }
    free(block);
  }
  EXPECT(faults() - before < 8 * most / kPage, "grown to %zu: %zu faults", most, faults() - before);
}

static void clear_and_free(size_t bytes) {
  enum { kRounds = 40 };
  const size_t before = faults();
  for (int i = 0; i < kRounds; ++i) {
    char* block = calloc(1, bytes);
    EXPECT(block != NULL);
    memset(block, i, bytes);
    free(block);
  }
  EXPECT(faults() - before < 8 * bytes / kPage, "cleared %zu: %zu faults", bytes,
         faults() - before);
}

static void clear_and_keep(void) {
  enum { kTables = 64 };
  const size_t resident = resident_bytes();
  for (int i = 0; i < kTables; ++i) {
    char* table = calloc(4, kMiB);
    EXPECT(table != NULL && table[i * kPage] == 0);
    table[i * kPage] = 1;
  }
  EXPECT(resident_bytes() - resident < 32 * kMiB, "%zu KiB", (resident_bytes() - resident) / kKiB);
}

static void come_and_go(void) {
  for (size_t mib = 1; mib <= 8; mib *= 2) grow_and_free(mib * kMiB);
}

static void come_cleared_and_go(void) {
  for (size_t mib = 1; mib <= 8; mib *= 2) clear_and_free(mib * kMiB);
}

typedef struct {
  void (*of)(void);
  bool has_second;
} Use;

static void use(void* arg) {
  const Use* one = arg;
  grow_heap();
  if (one->has_second) {
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, nothing, NULL) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
    grow_heap();
  }
  one->of();
}

int main(void) {
  void (*const uses[])(void) = {grow_in_turn, grow_between_small_ones, come_and_go,
                                come_cleared_and_go, clear_and_keep};
  for (size_t i = 0; i < sizeof uses / sizeof *uses; ++i) {
    for (int second = 0; second < 2; ++second) {
      Use one = {uses[i], second != 0};
      expect_success(fork_child(use, &one));
    }
  }
  return 0;
}
