// Large blocks over the real glibc, by what it says of them: a bit before a block tells whether it
// is mapped.
#include "beside/large_blocks.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <gtest/gtest.h>

#include "backend/library.h"
#include "support/units.h"

namespace mmt::beside {

using backend::find_library;
using backend::library;

namespace {

using test::kMiB;

constexpr size_t kBeyond = 96 * kMiB;

bool is_mapped(const void* block) { return (static_cast<const size_t*>(block)[-1] & 2) != 0; }

class LargeBlocksTest : public testing::Test {
 protected:
  // Room enough in the heap, so that nothing is mapped of itself.
  static void SetUpTestSuite() {
    find_library();
    library.set_parameter(M_MMAP_THRESHOLD, 32 << 20);
    library.set_parameter(M_TRIM_THRESHOLD, 64 << 20);
    library.set_parameter(M_TOP_PAD, 16 << 20);
    library.free(library.malloc(20 * kMiB));
  }
  char* in_heap(size_t bytes) {
    auto* const block = static_cast<char*>(library.malloc(bytes));
    EXPECT_FALSE(is_mapped(block));
    std::memset(block, 7, bytes);
    return block;
  }
  char* grow(void* block, size_t bytes) {
    return static_cast<char*>(blocks_.grow(block, bytes, kBeyond));
  }
  LargeBlocks blocks_;
};

TEST_F(LargeBlocksTest, ABlockThatGrowsLargeIsMappedWithWhatItHolds) {
  char* const block = in_heap(100'000);
  errno = 0;
  char* grown = grow(block, 150'000);
  ASSERT_NE(grown, nullptr);
  EXPECT_EQ(errno, 0);
  EXPECT_TRUE(is_mapped(grown));
  EXPECT_LT(library.usable_size(grown), 160'000U) << "cut to what is wanted";
  EXPECT_TRUE(std::all_of(grown, grown + 100'000, [](char c) { return c == 7; }));
  grown = grow(grown, 40 * kMiB);
  ASSERT_NE(grown, nullptr);
  EXPECT_TRUE(is_mapped(grown));
  EXPECT_EQ(grown[99'999], 7);
  grown[40 * kMiB - 1] = 1;
  library.free(grown);
}

TEST_F(LargeBlocksTest, WhatIsClearedIsMapped) {
  auto* const block = static_cast<char*>(blocks_.allocate_zeroed(kMiB, kBeyond));
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(is_mapped(block));
  EXPECT_TRUE(std::all_of(block, block + kMiB, [](char c) { return c == 0; }));
  library.free(block);
  EXPECT_EQ(blocks_.allocate_zeroed(kMiB, kBeyond), nullptr) << "it comes and goes";
  EXPECT_EQ(blocks_.allocate_zeroed(100'000, kBeyond), nullptr);
}

TEST_F(LargeBlocksTest, WhatComesAndGoesStaysInTheHeap) {
  library.free(grow(in_heap(100'000), kMiB));
  char* const block = in_heap(100'000);
  EXPECT_EQ(grow(block, kMiB), nullptr);
  library.free(block);
}

TEST_F(LargeBlocksTest, ALargeOneIsMappedOnceOneHadToMove) {
  char* first = in_heap(4 * kMiB);
  char* const behind = in_heap(1000);
  first = grow(first, 6 * kMiB);
  ASSERT_NE(first, nullptr);
  EXPECT_FALSE(is_mapped(first));
  char* const second = in_heap(1000);
  first = grow(first, 8 * kMiB);
  ASSERT_NE(first, nullptr);
  EXPECT_TRUE(is_mapped(first));
  EXPECT_TRUE(std::all_of(first, first + 4 * kMiB, [](char c) { return c == 7; }));
  for (char* block : {first, behind, second}) library.free(block);
}

TEST_F(LargeBlocksTest, IsLeftToTheLibraryWhereAHeapHasRoomForAll) {
  char* const block = in_heap(100'000);
  EXPECT_EQ(blocks_.grow(block, kMiB, 2 * kMiB), nullptr);
  EXPECT_EQ(block[99'999], 7);
  library.free(block);
  EXPECT_EQ(blocks_.allocate_zeroed(kMiB, 2 * kMiB), nullptr);
}

TEST_F(LargeBlocksTest, IsLeftToTheLibraryWhereThereIsNoMemory) {
  errno = 0;
  EXPECT_EQ(blocks_.allocate_zeroed(kMiB, PTRDIFF_MAX), nullptr);
  EXPECT_EQ(errno, 0);
}

TEST_F(LargeBlocksTest, AsksForNothingOnceStopped) {
  EXPECT_TRUE(blocks_.is_for(MmapThreshold::kLeast));
  EXPECT_FALSE(blocks_.is_for(MmapThreshold::kLeast - 1));
  blocks_.stop();
  EXPECT_FALSE(blocks_.is_for(MmapThreshold::kLeast));
}

}  // namespace
}  // namespace mmt::beside
