// A heap that is to give nothing back (M_TRIM_THRESHOLD -1, M_MMAP_MAX 0) keeps each page where it
// is. This holds also for a page that the program has protected or left out of forks.
// @only mmt
// @env MMT_DECAY=50

#include "lifecycle/page_watch.h"

enum { kMost = 24 };

static void change(char* block, size_t bytes, int how) {
  char* page = first_page(block);
  bytes -= (size_t)(page - block);
  bytes -= bytes % kWatchPage;
  if (how == 1) EXPECT(mprotect(page, bytes, PROT_READ) == 0);
  if (how == 2) EXPECT(madvise(page, bytes, MADV_DONTFORK) == 0);
}

// Pages that were seen before are known by what they hold; others hold nothing, or are not
// registered.
static long moved_pages(char* block, size_t bytes) {
  long moved = 0;
  for (char* page = first_page(block); page + kWatchPage <= block + bytes; page += kWatchPage) {
    char* held = *(char**)page;
    OPAQUE(held);
    moved += held != NULL && held != page;
  }
  return moved;
}

static void read_all(void* arg) {
  char** blocks = arg;
  for (int i = 0; i < kMost; ++i) EXPECT(*(char**)first_page(blocks[i]) == first_page(blocks[i]));
}

// One so large that it would be a mapping of its own otherwise: a few of its pages.
static void keep_very_large(void) {
  enum { kStep = 16 << 20, kBytes = 320 << 20 };
  char* block = malloc(kBytes);
  EXPECT(block != NULL);
  for (size_t at = kStep; at < kBytes; at += kStep) watch_block(block + at, 2 * kWatchPage);
  free(block);
  usleep(200000);
  EXPECT(malloc(kBytes) == block);
  for (size_t at = kStep; at < kBytes; at += kStep) check_block(block + at, 2 * kWatchPage);
  EXPECT(watch_unseen_pages == 0, "%ld pages", watch_unseen_pages);
}

int main(void) {
  static char* blocks[kMost];
  static size_t sizes[kMost];
  EXPECT(mallopt(M_TRIM_THRESHOLD, -1) == 1 && mallopt(M_MMAP_MAX, 0) == 1);
  keep_very_large();
  size_t most_resident = 0;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < kMost; ++i) {
      sizes[i] = (size_t)(1 + (i * 7 + round * 5) % 23) << 18;
      EXPECT((blocks[i] = malloc(sizes[i])) != NULL);
      EXPECT(moved_pages(blocks[i], sizes[i]) == 0, "round %d", round);
      watch_block(blocks[i], sizes[i]);
      if (i % 4 == 0) {
        EXPECT((blocks[i] = realloc(blocks[i], sizes[i] += 1 << 20)) != NULL);
        watch_block(blocks[i], sizes[i]);
      }
    }
    if (round % 5 == 0) expect_success(fork_child(read_all, blocks));
    for (int i = 0; i < kMost; ++i) change(blocks[i], sizes[i], (i + round) % 6);
    for (int i = 0; i < kMost; ++i) free(blocks[i * 5 % kMost]);
    usleep(70000);
    const size_t resident = resident_bytes();
    EXPECT(resident + (1 << 20) >= most_resident, "%zu after %zu", resident, most_resident);
    if (resident > most_resident) most_resident = resident;
  }
  return 0;
}
