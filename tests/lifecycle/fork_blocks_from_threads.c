// A fork's child is never given a block that main holds, though blocks circulate. Threads allocate
// the blocks, main keeps them for a while, and threads free them. A fork catches the caches of
// those threads in the middle of anything. The child allocates until it has used up all that could
// have been taken over from these caches.
// @soak 20000
// @soak-timeout 7000
// @timeout 90
// @timeout[protocol] 280

#include <pthread.h>

#include "support/processes.h"

enum { kThreads = 4, kRing = 256, kKept = 3000, kSizes = 4 };
static const size_t kSizesOf[kSizes] = {24, 100, 500, 2000};

// A ring a thread pushes new blocks into, and one it takes blocks to free from; one mutex each.
struct Circle {
  pthread_mutex_t lock;
  void* fresh[kRing];
  void* used[kRing];
  int fresh_count;
  int used_count;
};
static struct Circle circles[kThreads];
static volatile int stop;

static void* work(void* arg) {
  struct Circle* c = arg;
  uint64_t seed = (uint64_t)(c - circles);
  while (!stop) {
    // Private turns of the cache, with no lock held: what the fork tears.
    void* mine[40];
    size_t size = kSizesOf[next_random(&seed) % kSizes];
    for (int i = 0; i < 40; ++i) mine[i] = malloc(size);
    for (int i = 0; i < 40; ++i) free(mine[i]);
    pthread_mutex_lock(&c->lock);
    while (c->used_count > 0) free(c->used[--c->used_count]);
    while (c->fresh_count < kRing) {
      size = kSizesOf[next_random(&seed) % kSizes];
      c->fresh[c->fresh_count] = malloc(size);
      fill_pattern(c->fresh[c->fresh_count++], size, size);
    }
    pthread_mutex_unlock(&c->lock);
  }
  return NULL;
}

struct Kept {
  void* block;
  size_t size;
};
static struct Kept kept[kKept];

static void circulate(uint64_t* seed) {
  for (int t = 0; t < kThreads; ++t) {
    struct Circle* c = &circles[t];
    pthread_mutex_lock(&c->lock);
    while (c->fresh_count > 0 && c->used_count < kRing) {
      struct Kept* k = &kept[next_random(seed) % kKept];
      void* fresh = c->fresh[--c->fresh_count];
      if (k->block != NULL) check_pattern(k->block, k->size, k->size);
      if (k->block != NULL) c->used[c->used_count++] = k->block;
      k->block = fresh;
      // The id of the pattern is the size: find it.
      k->size = 0;
      for (int i = 0; i < kSizes; ++i) {
        uint64_t word;
        memcpy(&word, fresh, 8);
        if (word == pattern_word(kSizesOf[i], 0)) k->size = kSizesOf[i];
      }
      EXPECT(k->size != 0);
    }
    pthread_mutex_unlock(&c->lock);
  }
}

static void child(void* arg) {
  (void)arg;
  alarm(25);
  for (int round = 0; round < 1500; ++round)
    for (int i = 0; i < kSizes; ++i) {
      void* p = malloc(kSizesOf[i]);
      EXPECT(p != NULL);
      memset(p, 0x77, kSizesOf[i]);
    }
  for (int i = 0; i < kKept; ++i) {
    if (kept[i].block == NULL) continue;
    check_pattern(kept[i].block, kept[i].size, kept[i].size);
    free(kept[i].block);
  }
}

int main(int argc, char** argv) {
  int forks = argc > 1 ? atoi(argv[1]) : 60;
  pthread_t threads[kThreads];
  for (int t = 0; t < kThreads; ++t) {
    pthread_mutex_init(&circles[t].lock, NULL);
    EXPECT(pthread_create(&threads[t], NULL, work, &circles[t]) == 0);
  }
  uint64_t seed = 5;
  size_t mapped = 0;
  for (int i = 0; i < forks; ++i) {
    if (i == forks / 2) mapped = mapped_bytes();
    for (int k = 0; k < 5; ++k) circulate(&seed);
    expect_success(fork_child(child, NULL));
  }
  EXPECT(mapped_bytes() < mapped + (128 << 20), "%zu then %zu", mapped, mapped_bytes());
  stop = 1;
  for (int t = 0; t < kThreads; ++t) pthread_join(threads[t], NULL);
  return 0;
}
