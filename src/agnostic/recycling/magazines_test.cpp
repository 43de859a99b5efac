// Magazines: what is freed serves the next request of its size, every block is as large as was
// asked for, and nothing is kept back at the end.
#include "agnostic/recycling/magazines.h"

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "agnostic/checked_library.h"

namespace mmt::agnostic {
namespace {

class MagazinesOf : public testing::Test {
 protected:
  void SetUp() override { CheckedLibrary::install(); }
  void TearDown() override { CheckedLibrary::free_all(); }

  void* allocate(size_t bytes) {
    void* block = bytes <= Magazines::kLargest ? magazines_->take(bytes) : nullptr;
    return block != nullptr ? block : magazines_->allocate(bytes);
  }
  void free(void* block) {
    const size_t size = library.usable_size(block);
    if (size > Magazines::kLargest || !magazines_->give(block, size)) magazines_->free(block, size);
  }

  std::unique_ptr<Magazines> magazines_ = std::make_unique<Magazines>();
};

TEST_F(MagazinesOf, TheNewestServesNext) {
  free(allocate(40));
  void* const first = allocate(40);
  void* const second = allocate(40);
  free(first);
  free(second);
  EXPECT_EQ(allocate(33), second);
  EXPECT_EQ(allocate(40), first);
}

TEST_F(MagazinesOf, RunsAreServedInTheLibrarysOrder) {
  std::vector<void*> blocks;
  for (int i = 0; i < 200; ++i) blocks.push_back(allocate(24));
  const std::vector<void*>& given = CheckedLibrary::given();
  ASSERT_GT(given.size(), blocks.size()) << "none was taken ahead";
  EXPECT_TRUE(std::equal(blocks.begin(), blocks.end(), given.begin()));
  for (void* block : blocks) free(block);
  magazines_->clear();
  EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
}

// The library may give more than it must, once: those that come after are not as large.
TEST_F(MagazinesOf, RefillsAreAsLargeAsTheirMagazineSays) {
  for (const size_t extra : {8U, 16U, 64U}) {
    CheckedLibrary::make_next_larger(extra);
    std::vector<void*> blocks;
    for (int i = 0; i < 100; ++i) blocks.push_back(allocate(24));
    for (void* block : blocks) EXPECT_GE(library.usable_size(block), 24U);
    for (int i = 0; i < 100; ++i) {
      void* const block = allocate(24 + extra);
      ASSERT_GE(library.usable_size(block), 24U + extra);
      blocks.push_back(block);
    }
    for (void* block : blocks) free(block);
    magazines_->clear();
    ASSERT_EQ(CheckedLibrary::live_blocks(), 0U);
    magazines_ = std::make_unique<Magazines>();
  }
}

TEST_F(MagazinesOf, MixOfAllSizes) {
  std::mt19937 random(11);
  std::vector<void*> blocks;
  for (int step = 0; step < 60000; ++step) {
    if (blocks.size() < 500 && random() % 2 == 0) {
      const size_t bytes = random() % 8 == 0 ? random() % 5000 : random() % 300;
      if (random() % 50 == 0) CheckedLibrary::make_next_larger(random() % 5 * 8);
      blocks.push_back(allocate(bytes));
      ASSERT_GE(library.usable_size(blocks.back()), bytes);
    } else if (!blocks.empty()) {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      free(blocks.back());
      blocks.pop_back();
    }
    if (magazines_->is_due()) magazines_->review();
  }
  for (void* block : blocks) free(block);
  magazines_->clear();
  EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
}

TEST_F(MagazinesOf, WhatIsNeverAskedForAgainDoesNotPay) {
  bool has_paid = true;
  for (int i = 0; i < 20000; ++i) {
    // Sizes in turn, so that there are no runs.
    allocate(static_cast<size_t>(16 + i % 7 * 16));
    if (magazines_->is_due()) has_paid = magazines_->review();
  }
  EXPECT_FALSE(has_paid);
}

TEST_F(MagazinesOf, WhatIsAskedForAgainPays) {
  bool has_paid = false;
  for (int i = 0; i < 200000; ++i) {
    free(allocate(static_cast<size_t>(16 + i % 7 * 16)));
    if (i % 30 == 0) allocate(500);
    if (magazines_->is_due()) has_paid = magazines_->review();
  }
  EXPECT_TRUE(has_paid);
}

}  // namespace
}  // namespace mmt::agnostic
