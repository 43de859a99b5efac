// What a refill yields, from each place that blocks come from; what a flush takes.
#include "heap/thread/refill.h"

#include <sys/mman.h>

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "heap/object/fast_path.h"
#include "heap/thread/surplus.h"
#include "support/dense_class.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"
#include "support/refused_calls.h"

namespace mmt::heap {
namespace {

using test::lock;

constexpr SizeClass kRefilled = store::class_of_size(64);
constexpr uint32_t kForeign = 1;  // as owner of the lock: no thread of this process

class RefillTest : public ::testing::Test {
 protected:
  char* refill_one(SizeClass c) { return static_cast<char*>(refill(client, c)); }

  // The block of a refill, and those that it cached, in the order in which they are taken.
  std::vector<char*> refill_all(SizeClass c) {
    std::vector<char*> blocks;
    if (char* const first = refill_one(c)) blocks.push_back(first);
    while (void* const next = pop_exclusive(client, c)) blocks.push_back(static_cast<char*>(next));
    return blocks;
  }

  // So many blocks, by refills.
  std::vector<char*> take(SizeClass c, size_t count) {
    std::vector<char*> blocks;
    while (blocks.size() < count) {
      const std::vector<char*> more = refill_all(c);
      if (more.empty()) break;
      blocks.insert(blocks.end(), more.begin(), more.end());
    }
    return blocks;
  }

  // A span of which only every `step`-th block is free; returns those.
  std::vector<char*> thin_span(SizeClass c, size_t step) {
    const std::vector<char*> all = heap.take_span(c);
    std::vector<char*> free;
    for (size_t i = 0; i < all.size(); i += step) free.push_back(all[i]);
    for (char* block : free) heap.depot.spans().put_block(lock, block);
    return free;
  }

  static bool is_resident(char* at) {
    unsigned char here = 0;
    EXPECT_EQ(mincore(at - reinterpret_cast<uintptr_t>(at) % sys::kPageSize, 1, &here), 0);
    return (here & 1) != 0;
  }

  void fill_cache(SizeClass c) {
    const std::vector<char*> blocks = heap.take_span(c);
    for (char* block : blocks)
      if (!push_exclusive(client, c, block)) break;
    ASSERT_EQ(client.cached(c), kClasses[c].cache_limit);
  }

  test::FreshHeap heap;
  Client& client = heap.add_client();
};

TEST_F(RefillTest, FreshSpanComesWordByWord) {
  const std::vector<char*> first = refill_all(kRefilled);
  ASSERT_EQ(first.size(), 64u);
  for (size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i], first[0] + i * 64);
  const std::vector<char*> second = refill_all(kRefilled);
  ASSERT_EQ(second.size(), 64u);
  EXPECT_EQ(second[0], first[0] + 64 * 64) << "the span's next word";
  EXPECT_EQ(client.counters.refills.get(), 2u);
  EXPECT_EQ(client.counters.spans_self.get(), 1u);
}

TEST_F(RefillTest, SpanOfEachClassComesWholeAndOnce) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const size_t count = kClasses[c].blocks;
    std::vector<char*> blocks;
    while (blocks.size() < count) {
      blocks.push_back(refill_one(c));
      ASSERT_NE(blocks.back(), nullptr);
      ASSERT_LE(client.cached(c), kClasses[c].cache_limit);
      while (void* const next = pop_exclusive(client, c))
        blocks.push_back(static_cast<char*>(next));
    }
    ASSERT_EQ(blocks.size(), count) << "blocks of " << kClasses[c].size;
    const char* const base = heap.depot.region().address(client.sources[c].slot);
    for (size_t i = 0; i < count; ++i) ASSERT_EQ(blocks[i], base + i * kClasses[c].size);
    EXPECT_EQ(heap.depot.spans().class_spans(c), 1u);
  }
}

TEST_F(RefillTest, FreeBlocksOfASpanComeBeforeFreshMemory) {
  const std::vector<char*> free = thin_span(kRefilled, 3);
  const Slot frontier = heap.depot.region().frontier();
  EXPECT_EQ(take(kRefilled, free.size()), free);
  EXPECT_EQ(heap.depot.region().frontier(), frontier);
  EXPECT_EQ(heap.depot.free_blocks(lock, kRefilled), 0u);
}

// Spans of which few blocks are free are not worth being a source.
TEST_F(RefillTest, SpansWithFewBlocksAreUsedUpTogether) {
  const SizeClass c = store::class_of_size(1024);
  ASSERT_EQ(kClasses[c].blocks, 64u);
  const std::vector<char*> all_spans[] = {heap.take_span(c), heap.take_span(c), heap.take_span(c)};
  const size_t counts[] = {kFewBlocks / 2 - 3, kFewBlocks - 1, kFewBlocks - 1};
  std::vector<char*> expected;
  for (size_t span = 0; span < 3; ++span)
    for (size_t i = 0; i < counts[span]; ++i) {
      heap.depot.spans().put_block(lock, all_spans[span][4 * i]);
      if (span < 2) expected.push_back(all_spans[span][4 * i]);
    }
  EXPECT_EQ(refill_all(c), expected) << "five are not enough, with the next fifteen they are";
  EXPECT_EQ(client.counters.spans_self.get(), 2u);
  EXPECT_EQ(heap.depot.free_blocks(lock, c), kFewBlocks - 1);
}

TEST_F(RefillTest, BusyLockCostsFreshMemoryNotTime) {
  heap.serve();
  const std::vector<char*> free = thin_span(kRefilled, 2);
  ASSERT_TRUE(heap.depot.lock().lock(kForeign));
  const std::vector<char*> blocks = refill_all(kRefilled);
  heap.depot.lock().unlock(kForeign);
  ASSERT_EQ(blocks.size(), 64u);
  EXPECT_EQ(std::find(free.begin(), free.end(), blocks[0]), free.end());
  EXPECT_EQ(client.counters.spans_carved.get(), 1u);
  EXPECT_EQ(heap.taken_past_lock, kClasses[kRefilled].span_slots * store::kSlotBytes);
  EXPECT_EQ(heap.depot.free_blocks(lock, kRefilled), free.size());
}

// The first spans of a class may be its last.
TEST_F(RefillTest, FreshSpansOfASettledDenseClassAreMadeResidentInSteps) {
  heap.options.prefault = true;
  test::make_dense(heap, kRefilled);
  take(kRefilled, kSettledSpans * kClasses[kRefilled].blocks);
  EXPECT_EQ(client.sources[kRefilled].fresh, client.sources[kRefilled].fresh_end);
  heap.page_price_ns = kStepNs / 2 - 1;  // two pages a step
  const std::vector<char*> first = refill_all(kRefilled);
  ASSERT_EQ(first.size(), 64u) << "one page of blocks";
  const uint32_t left_out = left_out_page(client.sources[kRefilled].slot);
  EXPECT_EQ(is_resident(first[0]), left_out != 0);
  EXPECT_EQ(is_resident(first[0] + sys::kPageSize), left_out != 1);
  EXPECT_FALSE(is_resident(first[0] + 2 * sys::kPageSize));
  const std::vector<char*> left = take(kRefilled, kClasses[kRefilled].blocks - 64);
  EXPECT_EQ(is_resident(left.back()), left_out != kPagesASlot - 1);
  EXPECT_EQ(client.counters.spans_self.get(), kSettledSpans + 1);
}

TEST_F(RefillTest, SpansOfAClassThatIsHardlyTouchedAreLeftAlone) {
  heap.options.prefault = true;
  const std::vector<char*> blocks = take(kRefilled, 20 * kClasses[kRefilled].blocks);
  for (char* block : blocks) ASSERT_FALSE(is_resident(block));
}

TEST_F(RefillTest, WhatAProgramTouchesOfItsSpansIsLearnt) {
  heap.options.prefault = true;
  for (int span = 0; span < 5; ++span) {
    EXPECT_FALSE(heap.samples.is_dense(kRefilled));
    for (char* block : take(kRefilled, kClasses[kRefilled].blocks)) *block = 1;
  }
  take(kRefilled, 1);
  EXPECT_TRUE(heap.samples.is_dense(kRefilled));
}

TEST_F(RefillTest, FreshBlocksAreKnownToBeZeroOnce) {
  bool zeroed = false;
  auto* const first = static_cast<char*>(refill(client, kRefilled, 1, &zeroed));
  EXPECT_TRUE(zeroed);
  EXPECT_EQ(client.cached(kRefilled), 0u) << "no other comes with it";
  *first = 1;
  for (uint32_t i = 1; i < kClasses[kRefilled].blocks; ++i) {
    char* const block = static_cast<char*>(refill(client, kRefilled, 1, &zeroed));
    EXPECT_TRUE(zeroed && *block == 0);
    heap.depot.spans().put_block(lock, block);
  }
  EXPECT_EQ(refill(client, kRefilled, 1, &zeroed), first + 64) << "a block that was freed";
  EXPECT_FALSE(zeroed) << "it was used before";
}

TEST_F(RefillTest, SpanIsServedWhereItCannotBeMadeResident) {
  heap.options.prefault = true;
  test::make_dense(heap, kRefilled);
  take(kRefilled, kSettledSpans * kClasses[kRefilled].blocks);
  const test::RefusedCalls refused{sys::fake::Call::kPopulate};
  EXPECT_EQ(take(kRefilled, kClasses[kRefilled].blocks).size(), kClasses[kRefilled].blocks);
  EXPECT_NE(refused.count(sys::fake::Call::kPopulate), 0u);
}

TEST_F(RefillTest, NothingIsLostWhenMemoryIsShort) {
  const SizeClass c = kClassCount - 1;
  std::vector<char*> blocks;
  {
    const test::RefusedCalls refused{sys::fake::Call::kMapAt};
    while (char* const block = refill_one(c)) {
      blocks.push_back(block);
      while (void* const next = pop_exclusive(client, c))
        blocks.push_back(static_cast<char*>(next));
    }
    EXPECT_NE(refused.count(sys::fake::Call::kMapAt), 0u);
  }
  EXPECT_EQ(blocks.size(), heap.depot.spans().class_spans(c) * kClasses[c].blocks);
  EXPECT_EQ(client.cached(c), 0u);
  EXPECT_NE(refill_one(c), nullptr) << "there is memory again";
}

TEST_F(RefillTest, FlushKeepsTheNewestQuarter) {
  fill_cache(kRefilled);
  const uint32_t held = client.cached(kRefilled);
  void* const newest = *client.fast.top[kRefilled];
  void* const newest_but = *(client.fast.top[kRefilled] - (held / 4 - 1));
  flush(client, kRefilled);
  ASSERT_EQ(client.cached(kRefilled), held / 4);
  EXPECT_EQ(*client.fast.top[kRefilled], newest);
  EXPECT_EQ(client.sources[kRefilled].floor[1], newest_but);
  EXPECT_EQ(*client.sources[kRefilled].floor, nullptr);
  EXPECT_EQ(heap.depot.free_blocks(lock, kRefilled), held - held / 4);
  EXPECT_EQ(client.counters.blocks_flushed.get(), held - held / 4);
}

TEST_F(RefillTest, FlushedBlocksAreRefilledFrom) {
  fill_cache(kRefilled);
  const uint32_t held = client.cached(kRefilled);
  std::vector<char*> given;
  for (uint32_t i = 1; i <= held - held / 4; ++i)
    given.push_back(static_cast<char*>(client.sources[kRefilled].floor[i]));
  flush(client, kRefilled);
  while (pop_exclusive(client, kRefilled) != nullptr) {  // what the cache still has
  }
  ASSERT_EQ(client.cached(kRefilled), 0u);
  std::vector<char*> again = take(kRefilled, given.size());
  std::sort(given.begin(), given.end());
  std::sort(again.begin(), again.end());
  EXPECT_EQ(again, given);
}

}  // namespace
}  // namespace mmt::heap
