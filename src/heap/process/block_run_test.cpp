// Blocks freed as one go back past the caches; what is not of the run is left to the caller.
#include "heap/process/block_run.h"

#include <cstdlib>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "heap/process/allocation.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"

namespace mmt::heap {
namespace {

using test::lock;

class BlockRunTest : public ::testing::Test {
 protected:
  size_t free_blocks(size_t bytes) {
    return heap.depot.free_blocks(lock, store::class_of_size(bytes));
  }
  test::FreshHeap heap;
};

TEST_F(BlockRunTest, ARunOfOneClassGoesToTheDepot) {
  std::vector<void*> blocks(100);
  for (void*& block : blocks) block = allocate(heap, 48);
  const size_t before = free_blocks(48);
  EXPECT_EQ(deallocate_run(heap, blocks.data(), blocks.size()), blocks.size());
  EXPECT_EQ(free_blocks(48), before + blocks.size());
  std::set<void*> again;
  for (size_t i = 0; i < 5000; ++i) again.insert(allocate(heap, 48));
  EXPECT_EQ(again.size(), 5000U) << "each is had once";
}

TEST_F(BlockRunTest, TheRunEndsWithTheClass) {
  void* const blocks[] = {allocate(heap, 16),  allocate(heap, 16),  allocate(heap, 16),
                          allocate(heap, 16),  allocate(heap, 512), allocate(heap, 512),
                          allocate(heap, 512), allocate(heap, 512)};
  EXPECT_EQ(deallocate_run(heap, blocks, 8), 4U);
  EXPECT_EQ(deallocate_run(heap, blocks + 4, 4), 4U);
}

TEST_F(BlockRunTest, AShortRunIsLeftToTheCaller) {
  std::vector<void*> blocks(kLeastRun - 1);
  for (void*& block : blocks) block = allocate(heap, 16);
  EXPECT_EQ(deallocate_run(heap, blocks.data(), blocks.size()), 0U);
  blocks.push_back(allocate(heap, 512));
  EXPECT_EQ(deallocate_run(heap, blocks.data(), blocks.size()), 0U)
      << "the run ends with the class";
  for (void* block : blocks) deallocate(heap, block);
}

TEST_F(BlockRunTest, OthersAreLeftToTheCaller) {
  int foreign = 0;
  void* const large = allocate(heap, size_t{4} << 20);
  for (void* block : {large, static_cast<void*>(&foreign), static_cast<void*>(nullptr)}) {
    const std::vector<void*> blocks(kLeastRun, block);
    EXPECT_EQ(deallocate_run(heap, blocks.data(), blocks.size()), 0U);
  }
  EXPECT_EQ(deallocate_run(heap, nullptr, 0), 0U);
  deallocate(heap, large);
}

}  // namespace
}  // namespace mmt::heap
