// The changes that a program makes to pages of a block end with the block. Pages that were
// protected, locked, left out of forks, mapped over or unmapped come back as memory like any other,
// whatever the size.
// @only mmt

#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>

#include "support/memory.h"
#include "support/processes.h"

enum { kPage = 4096, kMost = 32 };

typedef void Change(char* pages, size_t bytes);

static void expect_zero(long result) { EXPECT(result == 0); }

static void left_out_of_forks(char* pages, size_t bytes) {
  expect_zero(madvise(pages, bytes, MADV_DONTFORK));
}
static void wiped_by_forks(char* pages, size_t bytes) {
  expect_zero(madvise(pages, bytes, MADV_WIPEONFORK));
}
static void wiped_by_raw_call(char* pages, size_t bytes) {
  expect_zero(syscall(SYS_madvise, pages, bytes, MADV_WIPEONFORK));
}
static void read_only(char* pages, size_t bytes) { expect_zero(mprotect(pages, bytes, PROT_READ)); }
static void closed_by_raw_call(char* pages, size_t bytes) {
  expect_zero(syscall(SYS_mprotect, pages, bytes, PROT_NONE));
}
static void middle_closed(char* pages, size_t bytes) {
  const size_t from = bytes / 2 / kPage * kPage;
  expect_zero(mprotect(pages + from, kPage, PROT_NONE));
}
static void mapped_over(char* pages, size_t bytes) {
  const int flags = MAP_FIXED | MAP_ANONYMOUS | MAP_SHARED;
  EXPECT(mmap(pages, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == pages);
}
static void mapped_over_by_raw_call(char* pages, size_t bytes) {
  const int flags = MAP_FIXED | MAP_ANONYMOUS | MAP_SHARED;
  EXPECT(syscall(SYS_mmap, pages, bytes, PROT_READ, flags, -1, 0) == (long)pages);
}
static void unmapped(char* pages, size_t bytes) { expect_zero(munmap(pages, bytes)); }
static void moved_away(char* pages, size_t bytes) {
  char* to = mremap(pages, bytes, 2 * bytes, MREMAP_MAYMOVE);
  if (to == MAP_FAILED) return;  // a block may lie in several mappings
  expect_zero(munmap(to, 2 * bytes));
}
static void moved_onto(char* pages, size_t bytes) {
  char* from = mmap(NULL, bytes, PROT_READ, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
  EXPECT(from != MAP_FAILED);
  EXPECT(mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, pages) == pages);
}

static void attached_over(char* pages, size_t bytes) {
  const int segment = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
  EXPECT(segment >= 0);
  EXPECT(shmat(segment, pages, SHM_REMAP) == pages);
  expect_zero(shmctl(segment, IPC_RMID, NULL));
}

static char* take(size_t bytes) {
  void* block;
  EXPECT(posix_memalign(&block, kPage, bytes) == 0);
  OPAQUE(block);
  return block;
}

// A forked child reads what the blocks hold, and its writes are its own.
struct held {
  char* blocks[kMost];
  int count;
  size_t bytes;
};

static void read_and_write(void* arg) {
  struct held* held = arg;
  for (int i = 0; i < held->count; ++i)
    for (size_t at = 0; at < held->bytes; at += kPage) {
      EXPECT(held->blocks[i][at] == i + 1);
      held->blocks[i][at] = 0;
    }
}

static void check_serves_again(size_t bytes) {
  static struct held held;
  held.bytes = bytes;
  held.count = bytes >= 1 << 20 ? 8 : kMost;
  for (int i = 0; i < held.count; ++i) {
    held.blocks[i] = take(bytes);
    memset(held.blocks[i], i + 1, bytes);
  }
  expect_success(fork_child(read_and_write, &held));
  for (int i = 0; i < held.count; ++i) {
    for (size_t at = 0; at < bytes; at += kPage) EXPECT(held.blocks[i][at] == i + 1);
    free(held.blocks[i]);
  }
}

// Between neighbours that stay, as they were.
static void change_and_free(Change* change, size_t bytes) {
  char* blocks[6];
  for (int i = 0; i < 6; ++i) memset(blocks[i] = take(bytes), 'a' + i, bytes);
  for (int i = 1; i < 6; i += 2) change(blocks[i], bytes);
  for (int i = 1; i < 6; i += 2) free(blocks[i]);
  for (int i = 0; i < 6; i += 2) {
    for (size_t at = 0; at < bytes; ++at) EXPECT(blocks[i][at] == 'a' + i);
    free(blocks[i]);
  }
}

int main(void) {
  static Change* const kChanges[] = {
      left_out_of_forks,  wiped_by_forks, wiped_by_raw_call, read_only,
      closed_by_raw_call, middle_closed,  mapped_over,       mapped_over_by_raw_call,
      unmapped,           moved_away,     moved_onto,        attached_over};
  static const size_t kSizes[] = {kPage,     10 * kPage, 160 << 10,
                                  256 << 10, 1 << 20,    (3 << 20) + 5 * kPage};
  for (size_t c = 0; c < sizeof kChanges / sizeof kChanges[0]; ++c)
    for (size_t s = 0; s < sizeof kSizes / sizeof kSizes[0]; ++s) {
      for (int round = 0; round < 2; ++round) change_and_free(kChanges[c], kSizes[s]);
      check_serves_again(kSizes[s]);
    }
  return 0;
}
