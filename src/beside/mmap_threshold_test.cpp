// glibc's rule for what is mapped, by what can be seen of blocks from outside.
#include "beside/mmap_threshold.h"

#include <set>

#include <gtest/gtest.h>

#include "support/units.h"

namespace mmt::beside {
namespace {

using test::kMiB;

// Blocks that are mapped and freed, each at an address of its own.
class MmapThresholdTest : public testing::Test {
 protected:
  // As a large block is: whether it was mapped.
  bool allocate(size_t bytes) {
    look();
    if (!threshold_.is_for(bytes)) return false;
    threshold_.add(next_ += 64 * kMiB, bytes + 4096);
    there_.insert(next_);
    return true;
  }
  void free(uintptr_t block) { there_.erase(block); }
  void look() {
    threshold_.look([this](uintptr_t at) { return there_.contains(at); });
  }
  void look_at_all() {
    for (int i = 0; i < 16; ++i) look();
  }

  MmapThreshold threshold_;
  std::set<uintptr_t> there_;
  uintptr_t next_ = 64 * kMiB;
};

TEST_F(MmapThresholdTest, BeginsAsGlibcDoes) {
  EXPECT_FALSE(threshold_.is_for(MmapThreshold::kLeast - 1));
  EXPECT_TRUE(threshold_.is_for(MmapThreshold::kLeast));
  EXPECT_TRUE(threshold_.is_for(MmapThreshold::kMost - 1));
  EXPECT_FALSE(threshold_.is_for(MmapThreshold::kMost)) << "the library does so itself";
}

TEST_F(MmapThresholdTest, WhatComesAndGoesIsMappedOnce) {
  EXPECT_TRUE(allocate(kMiB));
  free(next_);
  EXPECT_FALSE(allocate(kMiB));
  EXPECT_FALSE(allocate(kMiB - 4096)) << "a smaller one";
  EXPECT_TRUE(allocate(2 * kMiB));
}

TEST_F(MmapThresholdTest, WhatStaysMovesNothing) {
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(allocate(kMiB));
}

TEST_F(MmapThresholdTest, AnotherBlockInItsPlaceTellsToo) {
  threshold_.add(64 * kMiB, 3 * kMiB);
  threshold_.add(66 * kMiB, kMiB);
  EXPECT_FALSE(threshold_.is_for(2 * kMiB));
  EXPECT_TRUE(threshold_.is_for(3 * kMiB));
}

TEST_F(MmapThresholdTest, ABlockIsAsLargeAsItHasBecome) {
  allocate(MmapThreshold::kLeast);
  const uintptr_t before = next_;
  const size_t place = threshold_.take(before);
  free(before);
  look_at_all();  // while it moves
  EXPECT_TRUE(threshold_.is_for(MmapThreshold::kLeast));
  next_ += 64 * kMiB;
  there_.insert(next_);
  threshold_.put(place, next_, 8 * kMiB);
  EXPECT_TRUE(allocate(kMiB));
  free(next_ - 64 * kMiB);
  look_at_all();
  EXPECT_FALSE(allocate(7 * kMiB));
  EXPECT_TRUE(allocate(8 * kMiB));
}

TEST_F(MmapThresholdTest, OfOneThatIsNotWatchedNothingIsLearnt) {
  const size_t place = threshold_.take(12345);
  threshold_.put(place, 12345, 8 * kMiB);
  look_at_all();
  EXPECT_TRUE(threshold_.is_for(MmapThreshold::kLeast));
}

TEST_F(MmapThresholdTest, TheLargestAreNotCounted) {
  allocate(kMiB);
  threshold_.put(threshold_.take(next_), next_, MmapThreshold::kMost + 4096);
  free(next_);
  look_at_all();
  EXPECT_TRUE(threshold_.is_for(MmapThreshold::kLeast)) << "as of glibc's own";
}

// Blocks that are freed long after they were allocated, as of a queue that holds many.
TEST_F(MmapThresholdTest, AQueueIsFoundOutAfterAFewTimesItsLength) {
  constexpr int kLength = 500;
  int mapped = 0;
  for (int i = 0; allocate(kMiB); ++i, ++mapped) {
    ASSERT_LT(i, 4 * kLength);
    if (i >= kLength) free(next_ - kLength * 64 * kMiB);
  }
  EXPECT_GE(mapped, kLength);
}

TEST_F(MmapThresholdTest, NoMoreThanTheKernelBears) {
  for (uint32_t i = 0; i < MmapThreshold::kMostBlocks; ++i) ASSERT_TRUE(allocate(kMiB));
  EXPECT_FALSE(allocate(kMiB));
}

TEST_F(MmapThresholdTest, ALargeBlockStaysWhereItCanGrow) {
  EXPECT_TRUE(threshold_.moves(MmapThreshold::kLeast - 1)) << "little is to be copied";
  EXPECT_FALSE(threshold_.moves(4 * kMiB));
  threshold_.note_growth(true);
  EXPECT_TRUE(threshold_.moves(4 * kMiB));
  threshold_.note_growth(false);
  EXPECT_FALSE(threshold_.moves(4 * kMiB));
}

}  // namespace
}  // namespace mmt::beside
