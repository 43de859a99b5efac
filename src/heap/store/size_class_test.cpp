// The whole class table: every size, every alignment, every block.
#include "heap/store/size_class.h"

#include <gtest/gtest.h>

namespace mmt::store {
namespace {

TEST(SizeClass, EverySizeGetsTheSmallestClassThatHoldsIt) {
  for (size_t size = 0; size <= kMaxClassSize; ++size) {
    const SizeClass c = class_of_size(size);
    ASSERT_GT(c, kNoClass) << size;
    ASSERT_LT(c, kClassCount) << size;
    ASSERT_GE(kClasses[c].size, size);
    if (c > 1) {
      ASSERT_LT(kClasses[c - 1].size, size);
    }
  }
}

TEST(SizeClass, SizesGrowInMultiplesOf16) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    EXPECT_EQ(kClasses[c].size % 16, 0u);
    if (c > 1) {
      EXPECT_GT(kClasses[c].size, kClasses[c - 1].size);
    }
  }
  EXPECT_EQ(kClasses[kClassCount - 1].size, kMaxClassSize);
}

TEST(SizeClass, RoundingLosesAtMostAQuarter) {
  for (size_t size = kMaxSmallSize + 1; size <= kMaxClassSize; ++size)
    ASSERT_LE(kClasses[class_of_size(size)].size, size + size / 4) << size;
}

TEST(SizeClass, SpansHoldTheirBlocksAndBitmaps) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const ClassInfo& info = kClasses[c];
    EXPECT_GE(info.blocks, 1u);
    EXPECT_LE(size_t{info.blocks} * info.size, info.span_slots * kSlotBytes);
    EXPECT_GE(info.words * 64, info.blocks);
    EXPECT_LT((info.words - 1) * 64, info.blocks);
    EXPECT_LE(info.words, kMaxBitmapWords);
    EXPECT_EQ(info.span_slots & (info.span_slots - 1), 0u) << "a power of two";
    EXPECT_GE(info.cache_limit, 2u);
    EXPECT_GE(info.widest_cache, info.cache_limit);
    EXPECT_LE(info.widest_cache, kMaxCacheLimit);
  }
}

TEST(SizeClass, ReciprocalFindsEveryBlock) {
  for (SizeClass c = 1; c < kClassCount; ++c)
    for (uint64_t i = 0; i < kClasses[c].blocks; ++i)
      ASSERT_EQ(i * kClasses[c].size * kClasses[c].reciprocal >> 32, i) << c;
}

TEST(SizeClass, AlignedClassesAlignEveryBlock) {
  for (size_t alignment = 1; alignment <= kSlotBytes; alignment *= 2) {
    for (size_t size = 0; size <= kMaxClassSize; size += size < 2048 ? 1 : 509) {
      const SizeClass c = class_of_aligned_size(size, alignment);
      if (c == kNoClass) continue;
      ASSERT_GE(kClasses[c].size, size);
      ASSERT_EQ(kClasses[c].size % alignment, 0u) << size << " by " << alignment;
    }
  }
  EXPECT_EQ(class_of_aligned_size(kMaxClassSize + 1, 1), kNoClass);
  EXPECT_EQ(class_of_aligned_size(1, 2 * kSlotBytes), kNoClass);
}

}  // namespace
}  // namespace mmt::store
