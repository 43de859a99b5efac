// What a handler gets from the reserve, and gives back.
#include <cstring>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/reentry/reentry.h>

namespace mmt::reentry {
namespace {

TEST(Reentry, ServesWhatWasFreed) {
  Reentry reentry;
  void* const block = reentry.allocate(100, 16);
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(reentry.owns(block));
  EXPECT_GE(Reentry::size_of(block), 100U);
  reentry.free(block);
  EXPECT_EQ(reentry.allocate(128, 16), block);
}

TEST(Reentry, BlocksOfAnyAlignmentServeAgainWhole) {
  Reentry reentry;
  std::set<void*> live;
  for (int round = 0; round < 3; ++round) {
    std::vector<void*> blocks;
    for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
      void* const block = reentry.allocate(24, alignment);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0U);
      EXPECT_GE(Reentry::size_of(block), 24U) << "alignment " << alignment << ", round " << round;
      EXPECT_TRUE(live.insert(block).second) << "alignment " << alignment << ", round " << round;
      std::memset(block, 0xff, 24);
      blocks.push_back(block);
    }
    for (void* const block : blocks) {
      reentry.free(block);
      live.erase(block);
    }
  }
}

TEST(Reentry, DeferredBlocksComeOnce) {
  Reentry reentry;
  void* blocks[2];
  reentry.defer_free(&blocks[0]);
  reentry.defer_free(&blocks[1]);
  EXPECT_TRUE(reentry.has_deferred());
  std::multiset<void*> freed;
  reentry.take_deferred([&](void* block) { freed.insert(block); });
  EXPECT_EQ(freed, (std::multiset<void*>{&blocks[0], &blocks[1]}));
  EXPECT_FALSE(reentry.has_deferred());
}

}  // namespace
}  // namespace mmt::reentry
