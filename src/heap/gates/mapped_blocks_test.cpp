// Blocks with mappings of their own: what is noted of them, where they go as they are resized, and
// what happens when memory is short.
#include "heap/gates/mapped_blocks.h"

#include <cstring>

#include <gtest/gtest.h>

#include <mmt/sys/pages.h>

#include "support/fresh_heap.h"
#include "support/held_lock.h"
#include "support/refused_calls.h"
#include "support/units.h"

namespace mmt::heap {
namespace {

using test::kMiB;

using sys::fake::Call;
using test::RefusedCalls;

constexpr size_t kPage = sys::kPageSize;

class MappedBlocksTest : public testing::Test {
 protected:
  char* take(size_t bytes, size_t alignment = 1) {
    return static_cast<char*>(allocate_mapped(heap, bytes, alignment));
  }

  test::HeldLock lock;
  test::FreshHeap heap;
};

TEST_F(MappedBlocksTest, HaveWholePages) {
  for (const size_t bytes : {size_t{0}, size_t{1}, kPage, kPage + 1}) {
    char* const block = take(bytes);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(mapped_size(heap, block), bytes <= kPage ? kPage : 2 * kPage);
    EXPECT_TRUE(deallocate_mapped(heap, block));
    EXPECT_EQ(mapped_size(heap, block), 0u);
  }
}

TEST_F(MappedBlocksTest, AreAlignedAsAsked) {
  for (size_t alignment = 1; alignment <= 256 * kMiB; alignment *= 16) {
    char* const block = take(3 * kPage, alignment);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0u);
    EXPECT_TRUE(deallocate_mapped(heap, block));
  }
}

TEST_F(MappedBlocksTest, WhatIsNoneIsLeftAlone) {
  char* const block = take(2 * kPage);
  EXPECT_FALSE(deallocate_mapped(heap, block + kPage));
  EXPECT_EQ(mapped_size(heap, block + kPage), 0u);
  EXPECT_TRUE(deallocate_mapped(heap, block));
  EXPECT_FALSE(deallocate_mapped(heap, block)) << "twice";
}

TEST_F(MappedBlocksTest, NoneIsSoLong) {
  EXPECT_EQ(take(SIZE_MAX), nullptr);
  EXPECT_EQ(take(SIZE_MAX / 2), nullptr);
  EXPECT_EQ(take(1, size_t{1} << 63), nullptr);
  void* block = take(kPage);
  EXPECT_FALSE(reallocate_mapped(heap, &block, SIZE_MAX));
  EXPECT_EQ(mapped_size(heap, block), kPage);
}

TEST_F(MappedBlocksTest, ResizedOnesKeepTheirContents) {
  void* block = take(8 * kPage);
  memset(block, 1, 8 * kPage);
  ASSERT_TRUE(reallocate_mapped(heap, &block, 64 * kMiB));
  EXPECT_EQ(mapped_size(heap, block), 64 * kMiB);
  EXPECT_EQ(static_cast<char*>(block)[8 * kPage - 1], 1);
  EXPECT_EQ(static_cast<char*>(block)[8 * kPage], 0);
  ASSERT_TRUE(reallocate_mapped(heap, &block, kPage + 1));
  EXPECT_EQ(mapped_size(heap, block), 2 * kPage);
  EXPECT_EQ(static_cast<char*>(block)[2 * kPage - 1], 1);
}

TEST_F(MappedBlocksTest, AreAsTheyWereWhereMemoryIsShort) {
  void* block = take(kPage);
  memset(block, 1, kPage);
  const RefusedCalls refused{Call::kMapAnywhere, Call::kResizeMapping};
  void* const before = block;
  EXPECT_FALSE(reallocate_mapped(heap, &block, 64 * kMiB));
  EXPECT_EQ(block, before);
  EXPECT_EQ(mapped_size(heap, block), kPage);
  EXPECT_EQ(static_cast<char*>(block)[kPage - 1], 1);
  EXPECT_EQ(take(kPage), nullptr);
}

TEST_F(MappedBlocksTest, LargeOneMovesOutOfTheRegion) {
  auto* const large = static_cast<char*>(heap.depot.large().carve(kMiB, 1));
  memset(large, 1, kMiB);
  auto* const block = static_cast<char*>(move_to_mapping(heap, large, kMiB, 4 * kMiB));
  ASSERT_NE(block, nullptr);
  EXPECT_FALSE(heap.depot.region().contains(block));
  EXPECT_EQ(mapped_size(heap, block), 4 * kMiB);
  EXPECT_EQ(block[kMiB - 1], 1);
  EXPECT_EQ(block[kMiB], 0);
}

TEST_F(MappedBlocksTest, MoreThanAPageOfNotesAreKept) {
  constexpr size_t kMany = 2000;
  std::vector<char*> blocks;
  for (size_t i = 0; i < kMany; ++i) blocks.push_back(take(kPage + 1));
  for (char* const block : blocks) EXPECT_EQ(mapped_size(heap, block), 2 * kPage);
  for (char* const block : blocks) EXPECT_TRUE(deallocate_mapped(heap, block));
}

}  // namespace
}  // namespace mmt::heap
