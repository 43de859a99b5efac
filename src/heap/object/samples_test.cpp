// Which pages are looked at, when, and what is learnt from them.
#include "heap/object/samples.h"

#include <cstring>

#include <gtest/gtest.h>

#include "heap/pages/changed_pages.h"
#include "support/dense_class.h"
#include "support/fresh_heap.h"
#include "support/units.h"

namespace mmt::heap {
namespace {

using test::kMiB;

constexpr SizeClass kSampled = store::class_of_size(1024);
constexpr SizeClass kBigClass = store::class_of_size(64 << 10);

class SamplesTest : public ::testing::Test {
 protected:
  char* large_block(size_t bytes, size_t touched) {
    auto* const block = static_cast<char*>(heap.depot.large().carve(bytes, 1));
    memset(block, 1, touched);
    samples.add_part(heap.depot, kind_of_large(bytes), block, bytes);
    return block;
  }

  test::FreshHeap heap;
  Samples& samples = heap.samples;
};

TEST(KindTest, LargeBlocksAreOfOneByFactorsOfFour) {
  EXPECT_EQ(kind_of_large(store::kMaxClassSize + 1), store::kClassCount);
  EXPECT_EQ(kind_of_large(kMiB), kind_of_large(2 * kMiB - 1));
  EXPECT_NE(kind_of_large(kMiB), kind_of_large(2 * kMiB));
  EXPECT_EQ(kind_of_large(2 * kMiB), kind_of_large(8 * kMiB - 1));
  EXPECT_LT(kind_of_large(~size_t{0}), kind_of_growth(1));
  EXPECT_LT(kind_of_growth(~size_t{0}), kKindCount);
}

TEST(LeftOutPageTest, OneSlotInEightHasOne) {
  int slots = 0;
  uint32_t pages = 0;
  for (store::Slot slot = 0; slot < 8000; ++slot) {
    const uint32_t page = left_out_page(slot);
    if (page == kPagesASlot) continue;
    ++slots;
    pages |= 1u << page;
  }
  EXPECT_NEAR(slots, 1000, 50);
  EXPECT_EQ(pages, (1u << kPagesASlot) - 1) << "any page may be the one";
}

TEST_F(SamplesTest, ClassIsDenseOnceSpansWereSeenToBe) {
  test::use_spans(heap, kSampled, 3, true);
  EXPECT_FALSE(samples.is_dense(kSampled));
  test::use_spans(heap, kSampled, 1, true);
  EXPECT_TRUE(samples.is_dense(kSampled));
  EXPECT_FALSE(samples.is_dense(kSampled + 1));
}

TEST_F(SamplesTest, UntouchedClassIsNot) {
  test::use_spans(heap, kSampled, 100, false);
  EXPECT_FALSE(samples.is_dense(kSampled));
}

TEST_F(SamplesTest, DenseClassMayBecomeSparseAndTheReverse) {
  test::use_spans(heap, kSampled, 100, true);
  EXPECT_TRUE(samples.is_dense(kSampled));
  test::use_spans(heap, kSampled, 32, false);
  EXPECT_FALSE(samples.is_dense(kSampled));
  test::use_spans(heap, kSampled, 100, true);
  EXPECT_TRUE(samples.is_dense(kSampled));
}

// The first page alone of blocks of many pages is touched.
TEST_F(SamplesTest, BeginningsOfBlocksAreNotTheBlocks) {
  for (int i = 0; i < 20; ++i) {
    char* const span = test::take_fresh(heap, kBigClass);
    for (size_t block = 0; block < store::kClasses[kBigClass].blocks; ++block)
      span[block * store::kClasses[kBigClass].size] = 1;
    samples.add_span(heap.depot, kBigClass, heap.depot.region().slot_of(span), false);
  }
  EXPECT_FALSE(samples.is_dense(kBigClass));
}

TEST_F(SamplesTest, PreparedSpanTellsByWhatIsLeftOut) {
  for (const bool touched : {true, false}) {
    for (int i = 0; i < 100; ++i) {
      char* const span = test::take_fresh(heap, kSampled);
      const store::Slot slot = heap.depot.region().slot_of(span);
      const size_t from = size_t{slot} << store::kSlotShift;
      ASSERT_TRUE(populate_all_but_samples(heap.depot.region(), from, store::kSlotBytes));
      if (touched) memset(span, 1, store::kSlotBytes);
      samples.add_span(heap.depot, kSampled, slot, true);
    }
    EXPECT_EQ(samples.is_dense(kSampled), touched);
  }
}

TEST_F(SamplesTest, LargeBlocksAreKnownAfterTheSecond) {
  large_block(kMiB, kMiB);
  EXPECT_FALSE(samples.is_dense(kind_of_large(kMiB)));
  large_block(kMiB, kMiB);
  EXPECT_TRUE(samples.is_dense(kind_of_large(kMiB)));
  EXPECT_FALSE(samples.is_dense(kind_of_large(4 * kMiB)));
}

TEST_F(SamplesTest, SparseLargeBlocksAreKnown) {
  for (int i = 0; i < 10; ++i) large_block(4 * kMiB, 2000);
  EXPECT_FALSE(samples.is_dense(kind_of_large(4 * kMiB)));
}

TEST_F(SamplesTest, FreedLargeBlockIsLookedAtAtOnce) {
  char* const block = large_block(kMiB, kMiB);
  samples.look_at_freed(kind_of_large(kMiB), block, kMiB);
  EXPECT_TRUE(samples.is_dense(kind_of_large(kMiB)));
}

TEST_F(SamplesTest, BlockThatGrowsIsLookedAtBefore) {
  char* const block = large_block(kMiB, 2000);
  const Kind kind = kind_of_growth(2 * kMiB);
  for (int i = 0; i < 8; ++i) samples.look_at_grown(block, kMiB, kind);
  EXPECT_FALSE(samples.is_dense(kind));
  memset(block, 1, kMiB);
  for (int i = 0; i < 8; ++i) samples.look_at_grown(block, kMiB, kind);
  EXPECT_TRUE(samples.is_dense(kind));
}

TEST_F(SamplesTest, WhatMayBeHugeIsNoSample) {
  samples.note_huge(heap.depot.region().base(), 64 * kMiB);
  test::use_spans(heap, kSampled, 100, true);
  EXPECT_FALSE(samples.is_dense(kSampled));
}

TEST_F(SamplesTest, LockedMemorySaysNothing) {
  note_mlockall(heap, true);
  test::use_spans(heap, kSampled, 100, true);
  EXPECT_FALSE(samples.is_dense(kSampled));
}

}  // namespace
}  // namespace mmt::heap
