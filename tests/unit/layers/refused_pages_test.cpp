// Layers over pages of which the system refuses one call in turn. The request fails, and what was
// given out stays. In the end all is given back.
#include <cerrno>
#include <cstring>
#include <map>

#include <gtest/gtest.h>

#include <mmt/layers/fit/side_table.h>
#include <mmt/layers/general/hoard/granule_heap.h>
#include <mmt/layers/general/phk/control_heap.h>
#include <mmt/layers/general/phk/page_region_heap.h>
#include <mmt/layers/general/phk/page_runs_heap.h>
#include <mmt/layers/general/phk/process_options.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/source/reserved_heap.h>
#include <mmt/layers/source/sbrk_heap.h>
#include <mmt/layers/source/stretch_heap.h>
#include <mmt/layers/source/system_pages.h>

namespace mmt::layers {
namespace {

// The calls after `until_refused` others are refused, `refused` of them.
struct RefusedPages {
  static inline size_t until_refused = SIZE_MAX;
  static inline size_t refused = 0;
  static inline std::map<char*, size_t> mapped;

  static bool refuses() {
    if (until_refused != 0) return --until_refused, false;
    if (refused == 0) return false;
    --refused;
    errno = ENOMEM;
    return true;
  }
  static void* map(void* at, size_t bytes, int protection, int flags = 0) {
    if (refuses()) return nullptr;
    void* const place = SystemPages::map(at, bytes, protection, flags);
    if (place != nullptr && (flags & MAP_FIXED) == 0) mapped[static_cast<char*>(place)] = bytes;
    return place;
  }
  static void unmap(void* at, size_t bytes) {
    SystemPages::unmap(at, bytes);
    auto* const begin = static_cast<char*>(at);
    char* const end = begin + bytes;
    for (auto one = mapped.begin(); one != mapped.end();) {
      char* const first = one->first;
      char* const last = first + one->second;
      if (last <= begin || first >= end) {
        ++one;
        continue;
      }
      one = mapped.erase(one);
      if (first < begin) mapped[first] = static_cast<size_t>(begin - first);
      if (last > end) mapped[end] = static_cast<size_t>(last - end);
    }
  }
  static void* resize(void* at, size_t before, size_t bytes, int flags) {
    if (refuses()) return nullptr;
    void* const place = SystemPages::resize(at, before, bytes, flags);
    if (place == nullptr) return nullptr;
    mapped.erase(static_cast<char*>(at));
    mapped[static_cast<char*>(place)] = bytes;
    return place;
  }
  static bool protect(void* at, size_t bytes, int protection) {
    return !refuses() && SystemPages::protect(at, bytes, protection);
  }
  static bool discard(void* at, size_t bytes, int advice = MADV_DONTNEED) {
    return !refuses() && SystemPages::discard(at, bytes, advice);
  }
  static char* program_break() { return SystemPages::program_break(); }
  static char* raise_break(size_t by) { return refuses() ? nullptr : SystemPages::raise_break(by); }
  static bool set_break(char* to) { return SystemPages::set_break(to); }
};

class RefusedPagesTest : public testing::Test {
 protected:
  RefusedPagesTest() { allow(); }
  ~RefusedPagesTest() override {
    allow();
    EXPECT_TRUE(RefusedPages::mapped.empty()) << "not all was given back";
    RefusedPages::mapped.clear();
  }

  static void allow() { RefusedPages::until_refused = SIZE_MAX; }
  static void refuse(size_t calls = 1, size_t until = 0) {
    RefusedPages::until_refused = until;
    RefusedPages::refused = calls;
  }
};

TEST_F(RefusedPagesTest, MappingThatIsRefusedIsNoBlock) {
  BasicMmapHeap<RefusedPages> heap;
  refuse();
  EXPECT_EQ(heap.malloc(100), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  void* const block = heap.malloc(100);
  ASSERT_NE(block, nullptr);
  heap.free(block);
}

TEST_F(RefusedPagesTest, BlockThatCannotBeResizedIsAsItWas) {
  BasicMmapHeap<RefusedPages> heap;
  auto* const block = static_cast<char*>(heap.malloc(100));
  ASSERT_NE(block, nullptr);
  memset(block, 7, 100);
  refuse();
  EXPECT_EQ(heap.remap(block, size_t{1} << 20), nullptr);
  EXPECT_EQ(block[99], 7);
  void* const moved = heap.remap(block, size_t{1} << 20);
  ASSERT_NE(moved, nullptr);
  EXPECT_EQ(static_cast<char*>(moved)[99], 7);
  heap.free(moved);
}

TEST_F(RefusedPagesTest, HalfOfAReservationWillDo) {
  ReservedHeap<size_t{1} << 30, RefusedPages> heap;
  refuse(2);
  EXPECT_NE(heap.malloc(100), nullptr);
  ASSERT_EQ(RefusedPages::mapped.size(), 1u);
  EXPECT_EQ(RefusedPages::mapped.begin()->second, size_t{1} << 28);
}

TEST_F(RefusedPagesTest, ReservationOfWhichNothingCanBeUsedGoesBack) {
  ReservedHeap<size_t{1} << 30, RefusedPages> heap;
  refuse(1, 1);  // the protection
  EXPECT_EQ(heap.malloc(100), nullptr);
  EXPECT_TRUE(RefusedPages::mapped.empty());
  EXPECT_NE(heap.malloc(100), nullptr);
}

TEST_F(RefusedPagesTest, ReservationThatCannotGrowKeepsItsBlocks) {
  ReservedHeap<size_t{1} << 30, RefusedPages> heap;
  auto* const block = static_cast<char*>(heap.malloc(1000));
  ASSERT_NE(block, nullptr);
  memset(block, 7, 1000);
  refuse();
  EXPECT_EQ(heap.malloc(size_t{1} << 20), nullptr);
  EXPECT_EQ(block[999], 7);
  EXPECT_EQ(heap.malloc(size_t{1} << 20), block + core::align_up(1000, heap.kAlignment));
}

TEST_F(RefusedPagesTest, BreakThatCannotMoveIsNoBlock) {
  BasicSbrkHeap<RefusedPages> heap;
  char* const before = SystemPages::program_break();
  refuse();
  EXPECT_EQ(heap.malloc(100), nullptr);
  EXPECT_EQ(SystemPages::program_break(), before);
  EXPECT_NE(heap.malloc(100), nullptr);
}

TEST_F(RefusedPagesTest, StretchThatCannotGrowKeepsItsBlocks) {
  StretchHeap<size_t{1} << 20, RefusedPages> heap;
  refuse(2);  // above the break, and low
  EXPECT_EQ(heap.malloc(100), nullptr);
  auto* const block = static_cast<char*>(heap.malloc(1000));
  ASSERT_NE(block, nullptr);
  memset(block, 7, 1000);
  refuse();
  EXPECT_EQ(heap.malloc(size_t{1} << 20), nullptr);
  EXPECT_EQ(block[999], 7);
  EXPECT_NE(heap.malloc(size_t{1} << 20), nullptr);
}

TEST_F(RefusedPagesTest, TableThatCannotGrowIsAsItWas) {
  fit::SideTable<uint64_t, RefusedPages> table;
  refuse();
  EXPECT_FALSE(table.cover(10, 0));
  EXPECT_EQ(table.capacity(), 0u);
  ASSERT_TRUE(table.cover(10, 0));
  table[9] = 7;
  const size_t capacity = table.capacity();
  refuse();
  EXPECT_FALSE(table.cover(capacity + 1, 10));
  EXPECT_EQ(table.capacity(), capacity);
  EXPECT_EQ(table[9], 7u);
  ASSERT_TRUE(table.cover(capacity + 1, 10));
  EXPECT_EQ(table[9], 7u);
}

TEST_F(RefusedPagesTest, GranulesThatCannotBeEmptiedServeAgain) {
  Pipe<BasicMmapHeap<RefusedPages>, Granules<65536, Mutex, RefusedPages>> heap;
  void* const first = heap.malloc(1);
  void* const second = heap.malloc(1);
  ASSERT_NE(second, nullptr);
  heap.free(first);
  heap.free(second);
  refuse(2);
  errno = 7;
  EXPECT_TRUE(heap.trim());
  EXPECT_EQ(RefusedPages::refused, 0u);
  EXPECT_EQ(errno, 7);
  EXPECT_EQ(heap.usage().free_bytes, heap.usage().system_bytes);
  EXPECT_EQ(heap.malloc(1), first);
  EXPECT_EQ(heap.malloc(1), second);
}

// PHKmalloc's runs, of which only the calls for their protection are refused.
class RefusedRunsTest : public RefusedPagesTest {
 protected:
  static constexpr size_t kPages = 4;

  // It has pages that can all be written; nullptr: none.
  PageRun* take(size_t pages = kPages, bool is_guarded = false) {
    PageRun* const run = heap_.take_run(pages, kPhkPage, is_guarded);
    if (run != nullptr) memset(run->begin, 7, pages * kPhkPage);
    return run;
  }
  void set(const char* letters) {
    PhkOptions options;
    options.apply(letters);
    heap_.set_options(options);
  }
  // `calls` of the next are refused, and errno is kept.
  void release(PageRun* run, size_t calls) {
    refuse(calls);
    errno = 7;
    heap_.release_run(run);
    EXPECT_EQ(RefusedPages::refused, 0u);
    EXPECT_EQ(errno, 7);
  }

  Pipe<ReservedHeap<size_t{1} << 26>, PhkControl<PhkNoOptions>, PageRegion,
       BasicPageRuns<RefusedPages>>
      heap_;
};

TEST_F(RefusedRunsTest, GuardThatIsRefusedIsNoRun) {
  refuse();
  EXPECT_EQ(take(kPages, true), nullptr);
  EXPECT_EQ(heap_.usage().free_bytes, heap_.usage().system_bytes);
  EXPECT_NE(take(kPages, true), nullptr);
}

TEST_F(RefusedRunsTest, GuardThatStaysIsTakenAwayLater) {
  PageRun* const run = take(kPages, true);
  ASSERT_NE(run, nullptr);
  release(run, 1);
  refuse();
  EXPECT_EQ(take(kPages + 1), nullptr);
  EXPECT_NE(take(kPages + 1), nullptr);
}

TEST_F(RefusedRunsTest, FreePagesStayWithinReach) {
  set("FH");
  PageRun* const run = take();
  ASSERT_NE(run, nullptr);
  release(run, 2);  // the hint and the protection
  refuse();
  EXPECT_NE(take(), nullptr) << "nothing is to be brought into reach";
}

TEST_F(RefusedRunsTest, PagesOutOfReachAreNoRun) {
  set("F");
  PageRun* const run = take();
  ASSERT_NE(run, nullptr);
  heap_.release_run(run);
  refuse();
  EXPECT_EQ(take(), nullptr);
  EXPECT_NE(take(), nullptr);
}

TEST_F(RefusedRunsTest, PagesOutOfReachDoNotGoBack) {
  set("F");
  PageRun* const run = take();
  ASSERT_NE(run, nullptr);
  heap_.release_run(run);
  refuse();
  EXPECT_FALSE(heap_.trim());
  EXPECT_TRUE(heap_.trim());
  EXPECT_NE(take(), nullptr);
}

TEST_F(RefusedRunsTest, ClearedPagesAreBroughtIntoReachLater) {
  set("F");
  PageRun* const run = take();
  ASSERT_NE(run, nullptr);
  heap_.release_run(run);
  refuse();
  heap_.clear();
  EXPECT_EQ(RefusedPages::refused, 0u);
  EXPECT_NE(take(), nullptr);
}

}  // namespace
}  // namespace mmt::layers
