// The program has registered pages by address, as communication libraries do. Each page holds its
// own address, so that a page that was lost, moved or replaced is known by what is read there.
// Calls that the program was told of are noted by note_loss().
#pragma once

#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "support/processes.h"

enum { kWatchPage = 4096, kMostLosses = 16384 };

static struct { uintptr_t start, end; } watch_losses[kMostLosses];
static int watch_loss_count;
static long watch_unseen_pages, watch_seen_pages;

// The function is for hooks, which allocate and free as they like.
__attribute__((unused)) static void note_loss(const void* start, size_t bytes) {
  char* own = malloc(1 << 20);
  OPAQUE(own);
  free(own);
  EXPECT(watch_loss_count < kMostLosses);
  const int i = __atomic_fetch_add(&watch_loss_count, 1, __ATOMIC_RELAXED);
  watch_losses[i].start = (uintptr_t)start;
  watch_losses[i].end = (uintptr_t)start + bytes;
}

static bool was_told(const char* page) {
  for (int i = 0; i < watch_loss_count; ++i)
    if ((uintptr_t)page >= watch_losses[i].start && (uintptr_t)page < watch_losses[i].end)
      return true;
  return false;
}

static char* first_page(char* block) {
  return (char*)(((uintptr_t)block + kWatchPage - 1) & ~(uintptr_t)(kWatchPage - 1));
}

static void watch_block(char* block, size_t bytes) {
  for (char* page = first_page(block); page + kWatchPage <= block + bytes; page += kWatchPage) {
    OPAQUE(page);
    *(char**)page = page;
  }
}

// The pages of the block were all registered before, some time.
static void check_block(char* block, size_t bytes) {
  for (char* page = first_page(block); page + kWatchPage <= block + bytes; page += kWatchPage) {
    char* held = *(char**)page;
    OPAQUE(held);
    if (held == page) continue;
    if (was_told(page))
      ++watch_seen_pages;
    else
      ++watch_unseen_pages;
  }
}

// The heap was filled once, and is used again and again for other sizes. Only pages that were
// registered in the first round are looked at.
__attribute__((unused)) static void use_watched_heap(void) {
  enum { kBlocks = 48, kSmall = 4000, kSmallBytes = 6000 };
  static char* blocks[kBlocks];
  static char* small[kSmall];
  for (int i = 0; i < kBlocks; ++i) watch_block(blocks[i] = malloc(1 << 20), 1 << 20);
  for (int i = 0; i < kSmall; ++i) small[i] = malloc(kSmallBytes);
  for (int i = 0; i < kSmall; ++i) watch_block(small[i], kSmallBytes);
  for (int i = 0; i < kSmall; ++i)
    if (i % 50 != 0) free(small[i]);
  for (int i = 0; i < kBlocks; ++i)
    if (i % 3 != 0) free(blocks[i]);
  usleep(600000);
  // What grows, and what asks for more than lies together, is made of free pages otherwise.
  char* grown = malloc(2 << 20);
  for (size_t bytes = 3 << 20; bytes <= 24 << 20; bytes += 3 << 20) grown = realloc(grown, bytes);
  free(malloc(40 << 20));
  for (int i = 0; i < kBlocks; i += 3) check_block(blocks[i], 1 << 20);
  for (int i = 0; i < kBlocks; ++i)
    if (i % 3 != 0) check_block(blocks[i], 1 << 20);
  for (int i = 0; i < kSmall; ++i) check_block(small[i], kSmallBytes);
  free(grown);
  malloc_trim(0);
  for (int i = 0; i < kBlocks; ++i) check_block(blocks[i], 1 << 20);
  for (int i = 0; i < kSmall; ++i) check_block(small[i], kSmallBytes);
}

// Memory that was freed goes back all the same, by whoever frees: large blocks, and small ones.
__attribute__((unused)) static void free_much(void) {
  enum { kMiB = 1 << 20, kLarge = 200, kSmall = 200000, kSmallBytes = 1000, kMost = 100 * kMiB };
  static char* blocks[kSmall];
  for (int i = 0; i < kLarge; ++i) memset(blocks[i] = malloc(kMiB), 1, kMiB);
  for (int i = 0; i < kLarge; ++i) free(blocks[i]);
  EXPECT(resident_within(kMost) <= kMost, "%zu MiB", resident_bytes() / kMiB);
  for (int i = 0; i < kSmall; ++i) memset(blocks[i] = malloc(kSmallBytes), 1, kSmallBytes);
  for (int i = 0; i < kSmall; ++i) free(blocks[i]);
  for (int tries = 0; tries < 1000 && resident_bytes() > kMost; ++tries) {
    usleep(10000);
    for (int i = 0; i < 1000; ++i) blocks[i] = malloc(kSmallBytes);
    for (int i = 0; i < 1000; ++i) free(blocks[i]);
  }
  EXPECT(resident_bytes() <= kMost, "%zu MiB", resident_bytes() / kMiB);
}
