// PHKmalloc's pages: where runs lie, how they merge, what goes back, and strangers in the region.
#include <cstdint>

#include <gtest/gtest.h>

#include <mmt/layers/general/phk/page_heap.h>
#include <mmt/layers/general/phk/phk_chunks_heap.h>
#include <mmt/layers/general/phk/process_options.h>
#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/pipe.h>

#include "unit/layers/coalescing_model.h"
#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

constexpr size_t kPage = kPhkPage;
using Books = PageDirectory;
using PagesOf = Stack<PhkControl<PhkNoOptions>, PageRegion, PageRuns, Pages>;
using BreakPages = Pipe<BreakSource, PagesOf>;

template <class H>
char* take(H& heap, size_t bytes) {
  return static_cast<char*>(heap.malloc(bytes));
}

// Every page of every stretch is accounted for, and the list of free runs is that of the directory.
// Returns how many pages are in use.
size_t check(const PageBooks& books) {
  size_t used = 0;
  const PageRun* free_run = books.first_fit(1);
  const PageRun* before = nullptr;
  books.for_each_stretch([&](char* begin, size_t pages) {
    bool was_free = false;
    for (char* at = begin; at < begin + pages * kPage;) {
      const Books::Entry entry = books.of(at);
      const PageRun* const run = Books::run_of(entry);
      ASSERT_NE(run, nullptr);
      ASSERT_EQ(run->begin, at);
      ASSERT_LE(run->end(), begin + pages * kPage);
      const bool is_free = Books::kind_of(entry) == Books::kFree;
      if (is_free) {
        ASSERT_FALSE(was_free) << "two free neighbours";
        ASSERT_EQ(run, free_run) << "the list of free runs has another order";
        ASSERT_EQ(run->prev, before);
        ASSERT_EQ(Books::run_of(books.of(run->end() - kPage)), run);
        before = run;
        free_run = run->next;
      } else if (Books::is_chunks(entry)) {
        ASSERT_EQ(run->pages, 1u);
        ASSERT_FALSE(run->chunks.is_all_free());
      } else {
        ASSERT_EQ(Books::kind_of(entry), Books::kFirst);
      }
      for (char* page = at + kPage; page != run->end(); page += kPage) {
        ASSERT_EQ(Books::kind_of(books.of(page)), is_free ? Books::kFree : Books::kFollow);
      }
      if (!is_free) used += run->pages;
      was_free = is_free;
      at = run->end();
    }
  });
  EXPECT_EQ(free_run, nullptr) << "a free run that the directory does not know";
  EXPECT_EQ(books.last_free(), before);
  return used;
}

TEST(PageHeap, GivesWholePagesAtTheLowestAddress) {
  BreakPages heap;
  char* const first = take(heap, 1);
  char* const second = take(heap, 2 * kPage);
  char* const third = take(heap, 2 * kPage + 1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % kPage, 0u);
  EXPECT_EQ(second, first + kPage);
  EXPECT_EQ(third, second + 2 * kPage);
  EXPECT_EQ(heap.get_size(first), kPage);
  EXPECT_EQ(heap.get_size(third), 3 * kPage);
  EXPECT_EQ(heap.good_size(0), kPage);
  EXPECT_EQ(heap.good_size(kPage + 1), 2 * kPage);
  heap.free(first);
  heap.free(second);
  EXPECT_EQ(take(heap, 3 * kPage), first) << "free neighbours are one run";
  EXPECT_EQ(check(heap.books()), 6u);
}

TEST(PageHeap, TakesTheFirstRunThatFitsNotTheBest) {
  BreakPages heap;
  char* blocks[7];
  const size_t pages[7] = {3, 1, 5, 1, 2, 1, 20};
  for (int i = 0; i < 7; ++i) blocks[i] = take(heap, pages[i] * kPage);
  for (const int i : {4, 0, 2}) heap.free(blocks[i]);
  EXPECT_EQ(take(heap, 4 * kPage), blocks[2]);
  EXPECT_EQ(take(heap, 2 * kPage), blocks[0]);
  EXPECT_EQ(take(heap, kPage), blocks[0] + 2 * kPage);
  EXPECT_EQ(take(heap, kPage), blocks[2] + 4 * kPage);
  EXPECT_EQ(take(heap, 2 * kPage), blocks[4]);
  check(heap.books());
}

TEST(PageHeap, ReturnsWhatIsFreeAtTheEndBeyondTheCache) {
  BreakPages heap;
  char* const first = take(heap, kPage);
  char* const large = take(heap, 100 * kPage);
  EXPECT_TRUE(heap.owns(large + 99 * kPage));
  heap.free(large);
  EXPECT_EQ(heap.size(), 17 * kPage);
  EXPECT_TRUE(heap.owns(large + 15 * kPage));
  // The original forgets to clear these entries of its directory.
  for (size_t page = 16; page != 100; ++page) ASSERT_FALSE(heap.owns(large + page * kPage));
  EXPECT_EQ(heap.usage().system_bytes, 17 * kPage);
  EXPECT_EQ(heap.usage().free_bytes, 16 * kPage);
  EXPECT_TRUE(heap.trim());
  EXPECT_FALSE(heap.trim());
  EXPECT_EQ(heap.size(), kPage);
  heap.free(first);
  EXPECT_TRUE(heap.trim());
  EXPECT_EQ(heap.size(), 0u);
  EXPECT_FALSE(heap.owns(first));
  EXPECT_EQ(take(heap, kPage), first);
  check(heap.books());
}

TEST(PageHeap, KeepsAsManyPagesAsItsOptionsSay) {
  BreakPages heap;
  heap.set_options(phk_options_of(nullptr, nullptr, ">"));
  heap.free(heap.malloc(100 * kPage));
  EXPECT_EQ(heap.size(), 32 * kPage);
  heap.set_options(phk_options_of(nullptr, nullptr, "S"));
  heap.free(heap.malloc(kPage));
  EXPECT_EQ(heap.size(), 0u);
}

TEST(PageHeap, CompletesWhatIsFreeAtTheEnd) {
  BreakPages heap;
  char* const first = take(heap, kPage);
  EXPECT_EQ(heap.size() / kPage, 16u);
  EXPECT_EQ(take(heap, 40 * kPage), first + kPage);
  EXPECT_EQ(heap.size() / kPage, 41u);
}

TEST(PageHeap, LeavesAHoleWhereAStrangerWas) {
  BreakPages heap;
  char* const first = take(heap, 16 * kPage);
  char* const strange = first + 16 * kPage;
  heap.move_as_stranger(5 * kPage + 100);
  char* const second = take(heap, 20 * kPage);
  EXPECT_GE(second, strange + 5 * kPage + 100);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(second) % kPage, 0u);
  EXPECT_FALSE(heap.owns(strange));
  EXPECT_FALSE(heap.owns(strange + 5 * kPage));
  EXPECT_TRUE(heap.owns(second));
  heap.free(first);
  heap.free(second);
  EXPECT_EQ(check(heap.books()), 0u);
  EXPECT_EQ(heap.usage().free_blocks, 2u) << "nothing merges across a hole";
  heap.move_as_stranger(1);
  EXPECT_FALSE(heap.trim()) << "what lies below a stranger's memory cannot go back";
  EXPECT_EQ(take(heap, 10 * kPage), first);
}

TEST(PageHeap, GrowsBlocksIntoFreePages) {
  BreakPages heap;
  char* const first = take(heap, 2 * kPage);
  char* const second = take(heap, 4 * kPage);
  char* const third = take(heap, kPage);
  EXPECT_TRUE(heap.expand(first, 2 * kPage));
  EXPECT_FALSE(heap.expand(first, 2 * kPage + 1));
  heap.free(second);
  EXPECT_TRUE(heap.expand(first, 5 * kPage - 3));
  EXPECT_EQ(heap.get_size(first), 5 * kPage);
  EXPECT_FALSE(heap.expand(first, 7 * kPage));
  EXPECT_TRUE(heap.expand(first, 6 * kPage));
  EXPECT_TRUE(heap.expand(third, 1000 * kPage)) << "the end of the heap can move";
  EXPECT_FALSE(heap.expand(third, kMaxRequest));
  EXPECT_FALSE(heap.expand(third, SIZE_MAX));
  EXPECT_EQ(check(heap.books()), 1006u);
  heap.move_as_stranger(16);
  EXPECT_FALSE(heap.expand(third, 2000 * kPage));
}

TEST(PageHeap, AlignsBlocksAndLosesNothing) {
  BreakPages heap;
  for (size_t alignment = 1; alignment <= size_t{4} << 20; alignment *= 2) {
    take(heap, kPage);
    const Block block = heap.allocate(3 * kPage + 5, alignment);
    ASSERT_NE(block.data, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.data) % alignment, 0u);
    EXPECT_EQ(block.size, 4 * kPage);
  }
  EXPECT_EQ(check(heap.books()), 23u * 5);
  heap.clear();
  EXPECT_EQ(check(heap.books()), 0u);
  EXPECT_EQ(heap.size(), 16 * kPage);
}

TEST(PageHeap, RefusesWhatTheSourceHasNot) {
  BreakPages heap;
  heap.set_limit(51 * kPage);  // the source may begin anywhere within a page
  EXPECT_EQ(heap.malloc(51 * kPage), nullptr);
  EXPECT_EQ(heap.malloc(SIZE_MAX), nullptr);
  EXPECT_EQ(heap.size(), 0u);
  char* const block = take(heap, 50 * kPage - 3);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(heap.malloc(2 * kPage), nullptr);
  heap.free(block);
  EXPECT_EQ(take(heap, 1), block);
}

TEST(PageHeap, NeedsAsLittleAsThereIs) {
  BreakPages heap;
  heap.set_limit(3 * kPage);
  EXPECT_NE(heap.malloc(2 * kPage), nullptr) << "growing by more than is missing is a luxury";
  EXPECT_NE(heap.malloc(kPage), nullptr);
}

// most_left: pages that what was freed may still hold.
template <class H>
void churn(H& heap, uint64_t seed, size_t operations, size_t most_left = 0) {
  Random random(seed);
  std::vector<MixedBlock> live;
  for (size_t i = 0; i < operations && !testing::Test::HasFatalFailure(); ++i) {
    const size_t action = random.below(100);
    if (action < 40 && !live.empty()) {
      const size_t at = random.below(live.size());
      EXPECT_TRUE(live[at].is_intact(live[at].size));
      heap.free(live[at].data);
      live[at] = live.back();
      live.pop_back();
    } else if (action < 50 && !live.empty()) {
      MixedBlock& block = live[random.below(live.size())];
      if (heap.expand(block.data, block.size + random.below(5 * kPage))) {
        EXPECT_TRUE(block.is_intact(block.size));
        block.size = heap.get_size(block.data);
        block.fill();
      }
    } else {
      const Block block =
          heap.allocate(random.below(random.below(9 * kPage) + 1), size_t{1} << random.below(16));
      ASSERT_NE(block.data, nullptr);
      live.push_back(
          {static_cast<unsigned char*>(block.data), block.size, static_cast<unsigned char>(i)});
      live.back().fill();
    }
    if (i % 50 == 0) check(heap.books());
  }
  for (const MixedBlock& block : live) {
    EXPECT_TRUE(block.is_intact(block.size));
    heap.free(block.data);
  }
  EXPECT_LE(check(heap.books()), most_left);
}

TEST(PageHeap, KeepsItsBooksInOrder) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    BreakPages heap;
    churn(heap, seed, 3000);
  }
}
TEST(PageHeap, KeepsItsBooksInOrderAmongStrangers) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    BreakSource::stranger_each = 3;
    BreakPages heap;
    churn(heap, seed, 3000);
    BreakSource::stranger_each = 0;
  }
}
TEST(PhkHeap, KeepsItsBooksInOrder) {
  for (const char* letters : {"", "FG", "S", "<<<<", "PZ"}) {
    for (size_t strangers = 0; strangers != 8; strangers += 4) {
      BreakSource::stranger_each = strangers;
      PhkHeap<BreakSource> heap;
      heap.set_options(phk_options_of(nullptr, nullptr, letters));
      churn(heap, 1 + strangers, 3000, heap.options().freecheck ? heap.kMostDelayed : 0);
      BreakSource::stranger_each = 0;
    }
  }
}

}  // namespace
}  // namespace mmt::layers
