// What is made resident ahead of the frontier: how far, for which heaps, and at which price.
#include "heap/keeper/prefaulter.h"

#include <sys/mman.h>

#include <vector>

#include <gtest/gtest.h>

#include "heap/object/heap.h"
#include "support/dense_class.h"
#include "support/fresh_heap.h"
#include "support/refused_calls.h"
#include "support/units.h"
#include "sys/fake/manual_clock.h"

namespace mmt::heap {
namespace {

using test::kMiB;

constexpr uint64_t kWindow = 1000000;  // growth is measured over so long
constexpr size_t kHeap = 128 * kMiB;
constexpr uint64_t kCheap = 100000;
constexpr uint64_t kDear = 600000;  // for a huge page
constexpr SizeClass kDense = 4;     // as it is used here
constexpr SizeClass kUnknown = 5;

class PrefaulterTest : public ::testing::Test {
 protected:
  PrefaulterTest() {
    heap.options.prefault = true;
    heap.options.prefault_bytes = 64 * kMiB;
    heap.options.huge_pages = Switch::kOff;
    test::make_dense(heap, kDense);
    grow(kHeap);
    prefaulter.step(now);
  }
  ~PrefaulterTest() override { sys::fake::set_time_a_look(0); }

  void allow_huge_pages() {
    heap.options.huge_pages = Switch::kAuto;
    heap.options.huge_from_bytes = 0;
  }

  size_t frontier() { return size_t{heap.depot.region().frontier()} << store::kSlotShift; }

  void grow(size_t bytes, uint8_t code = kDense) { test::grow(heap, bytes, code); }

  // The heap grows by so much in one window.
  bool step_after(size_t bytes) {
    grow(bytes);
    return step();
  }
  bool step() { return prefaulter.step(now += kWindow); }

  // All steps that can be taken now, in no time.
  int run_all() {
    int steps = 0;
    while (prefaulter.step(now)) ++steps;
    return steps;
  }

  // Bytes from the frontier to behind the last resident page.
  size_t lead() {
    const size_t mapped = heap.depot.region().mapped_bytes();
    std::vector<unsigned char> pages((mapped - frontier()) / sys::kPageSize);
    EXPECT_EQ(mincore(heap.depot.region().base() + frontier(), mapped - frontier(), pages.data()),
              0);
    size_t last = pages.size();
    while (last > 0 && (pages[last - 1] & 1) == 0) --last;
    return last * sys::kPageSize;
  }

  const ServerCounters& counters() { return heap.server_counters; }

  test::FreshHeap heap;
  Prefaulter prefaulter{heap};
  uint64_t now = 1000000 * kWindow;  // long after the heap has grown to where it starts
};

TEST_F(PrefaulterTest, NothingIsDoneWhenSwitchedOff) {
  heap.options.prefault = false;
  EXPECT_FALSE(step_after(4 * kMiB));
  EXPECT_EQ(lead(), 0u);
}

TEST_F(PrefaulterTest, HeapThatStandsStillIsLeftAlone) {
  EXPECT_FALSE(step());
  EXPECT_EQ(lead(), 0u);
}

TEST_F(PrefaulterTest, SlowHeapIsLeftAlone) {
  for (int i = 0; i < 20; ++i) {
    now += 100 * kWindow;
    EXPECT_FALSE(step_after(kMiB));
  }
  EXPECT_EQ(lead(), 0u);
}

TEST_F(PrefaulterTest, WhatDoesNotTellIsNoGrowth) {
  heap.untelling_bytes += kMiB;
  EXPECT_FALSE(step_after(kMiB));
  EXPECT_EQ(lead(), 0u);
}

TEST_F(PrefaulterTest, WhatDidNotTellBeforeIsForgotten) {
  heap.untelling_bytes += 1024 * kMiB;
  EXPECT_FALSE(step_after(kMiB));
  EXPECT_TRUE(step_after(kMiB));
  EXPECT_GT(lead(), 0u);
}

TEST_F(PrefaulterTest, FastHeapFindsMemoryAhead) {
  EXPECT_TRUE(step_after(kMiB));
  EXPECT_GT(lead(), 0u);
  EXPECT_EQ(counters().prefault_small.get(), 1u);
  EXPECT_EQ(counters().prefault_huge.get(), 0u);
}

// What programs ask for they need not use.
TEST_F(PrefaulterTest, NothingIsPreparedOnTrust) {
  grow(4 * kMiB, kUnknown);
  EXPECT_FALSE(step());
  EXPECT_EQ(lead(), 0u);
}

TEST_F(PrefaulterTest, GrowthByLargeBlocksIsPreparedOnceTheyAreKnown) {
  const auto grow_by_block = [this] {
    char* const block = static_cast<char*>(heap.depot.large().carve(kMiB, 1));
    memset(block, 1, kMiB);
    heap.samples.add_part(heap.depot, kind_of_large(kMiB), block, kMiB);
  };
  grow_by_block();
  EXPECT_FALSE(step());
  grow_by_block();
  grow_by_block();
  EXPECT_TRUE(step());
  EXPECT_GT(lead(), 0u);
}

TEST_F(PrefaulterTest, AnEighthMayBeOfOtherKinds) {
  grow(kMiB / 2, kUnknown);
  EXPECT_TRUE(step_after(4 * kMiB));
}

TEST_F(PrefaulterTest, MixedGrowthIsNotPrepared) {
  grow(kMiB, kUnknown);
  EXPECT_FALSE(step_after(4 * kMiB));
  EXPECT_EQ(lead(), 0u);
}

TEST_F(PrefaulterTest, SomePagesAreLeftOut) {
  grow(4 * kMiB);
  step();
  run_all();
  const size_t first = frontier() >> store::kSlotShift;
  size_t left_out = 0;
  for (size_t slot = first + 1; slot < first + 16; ++slot) {
    const uint32_t page = left_out_page(static_cast<Slot>(slot));
    if (page == kPagesASlot) continue;
    ++left_out;
    unsigned char resident = 1;
    char* const at = heap.depot.region().address(static_cast<Slot>(slot));
    EXPECT_TRUE(sys::look_for_pages(at + page * sys::kPageSize, sys::kPageSize, &resident));
    EXPECT_EQ(resident & 1, 0);
  }
  EXPECT_NE(left_out, 0u);
}

TEST_F(PrefaulterTest, LeadIsAFewWindowsOfGrowth) {
  grow(kMiB / 2);
  step();
  EXPECT_GT(run_all(), 1);
  EXPECT_LE(lead(), 4 * kMiB);
  EXPECT_GT(lead(), 3 * kMiB);
  EXPECT_LT(lead() - counters().prefault_bytes.get(), kMiB / 4) << "but for what lies next";
}

TEST_F(PrefaulterTest, GrowthFadesByHalfEachWindow) {
  grow(kMiB);
  step();
  step();  // now it counts for half a MiB
  run_all();
  EXPECT_LE(lead(), 4 * kMiB);
  EXPECT_GT(lead(), 3 * kMiB);
}

TEST_F(PrefaulterTest, LeadIsAtMostAsStated) {
  heap.options.prefault_bytes = kMiB;
  grow(4 * kMiB);
  step();
  run_all();
  EXPECT_LE(lead(), kMiB);
  EXPECT_GT(lead(), kMiB / 2);
}

TEST_F(PrefaulterTest, LeadIsASixteenthOfTheHeapAtMost) {
  grow(4 * kMiB);
  step();
  run_all();
  EXPECT_LE(lead(), frontier() / 16);
  EXPECT_GT(lead(), frontier() / 16 - kMiB / 2);
}

TEST_F(PrefaulterTest, NothingIsTriedTwice) {
  grow(kMiB);
  step();
  run_all();
  const uint64_t bytes = counters().prefault_bytes.get();
  EXPECT_EQ(run_all(), 0);
  EXPECT_EQ(counters().prefault_bytes.get(), bytes);
}

TEST_F(PrefaulterTest, RefusedMemoryIsPassedBy) {
  const test::RefusedCalls refused{sys::fake::Call::kPopulate};
  grow(kMiB);
  step();
  run_all();
  EXPECT_NE(refused.count(sys::fake::Call::kPopulate), 0u);
  EXPECT_EQ(counters().prefault_small.get(), 0u);
  EXPECT_EQ(counters().prefault_bytes.get(), 0u);
  EXPECT_EQ(lead(), 0u);
  EXPECT_EQ(run_all(), 0) << "nor asked for again and again";
}

TEST_F(PrefaulterTest, CheapHugePagesAreAskedForAgain) {
  allow_huge_pages();
  sys::fake::set_time_a_look(kCheap);
  EXPECT_TRUE(step_after(4 * kMiB));
  EXPECT_TRUE(step());
  EXPECT_EQ(counters().prefault_huge.get(), 2u);
  EXPECT_EQ(counters().prefault_bytes.get(), 2 * sys::kHugePageSize);
  EXPECT_EQ(counters().prefault_ns.get(), 2 * kCheap);
  EXPECT_EQ(counters().prefault_small.get(), 0u);
}

// In huge pages nothing is seen of what is used.
TEST_F(PrefaulterTest, SmallPagesComeBetweenHugeOnes) {
  allow_huge_pages();
  for (int i = 0; i < 16; ++i) {
    step_after(4 * kMiB);
    run_all();
  }
  EXPECT_GT(counters().prefault_huge.get(), counters().prefault_small.get() / 8);
  EXPECT_GE(counters().prefault_small.get(), 8u);
}

TEST_F(PrefaulterTest, DearHugePageIsTheLastUntilTheHeapHasDoubled) {
  allow_huge_pages();
  sys::fake::set_time_a_look(kDear);
  EXPECT_TRUE(step_after(4 * kMiB));
  EXPECT_EQ(counters().prefault_huge.get(), 1u);
  sys::fake::set_time_a_look(kCheap);
  const size_t once = frontier();
  step_after(4 * kMiB);
  run_all();
  EXPECT_EQ(counters().prefault_huge.get(), 1u);
  EXPECT_NE(counters().prefault_small.get(), 0u) << "small pages meanwhile";
  grow(2 * once + 4 * kMiB - frontier());
  EXPECT_TRUE(step());
  EXPECT_EQ(counters().prefault_huge.get(), 2u);
}

TEST_F(PrefaulterTest, RefusedHugePageIsAsGoodAsDear) {
  allow_huge_pages();
  {
    const test::RefusedCalls refused{sys::fake::Call::kPreferHugePages};
    step_after(4 * kMiB);
    EXPECT_EQ(refused.count(sys::fake::Call::kPreferHugePages), 1u);
  }
  step_after(4 * kMiB);
  run_all();
  EXPECT_EQ(counters().prefault_huge.get(), 0u);
  EXPECT_NE(counters().prefault_small.get(), 0u);
}

TEST_F(PrefaulterTest, SlowGrowthGetsAHugePageOnceItFillsOneSoon) {
  allow_huge_pages();
  step_after(kMiB / 4);
  EXPECT_EQ(counters().prefault_huge.get(), 1u);
  run_all();
  EXPECT_LE(lead(), 4 * kMiB) << "one";
}

TEST_F(PrefaulterTest, SlowerGrowthGetsSmallPages) {
  allow_huge_pages();
  step_after(kMiB / 16);
  run_all();
  EXPECT_EQ(counters().prefault_huge.get(), 0u);
  EXPECT_NE(counters().prefault_small.get(), 0u);
  EXPECT_LE(lead(), kMiB / 2);
}

TEST_F(PrefaulterTest, SmallHeapGetsSmallPages) {
  allow_huge_pages();
  heap.options.huge_from_bytes = frontier() + 64 * kMiB;
  EXPECT_TRUE(step_after(4 * kMiB));
  EXPECT_EQ(counters().prefault_huge.get(), 0u);
  EXPECT_EQ(counters().prefault_small.get(), 1u);
}

}  // namespace
}  // namespace mmt::heap
