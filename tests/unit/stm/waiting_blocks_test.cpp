// Blocks wait for the attempts that may know them, and what the waiting costs does not grow with
// their number. Loads of shared words are counted, not time.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/stm/waiting_blocks.h>
#include <mmt/stm/world.h>

namespace mmt::stm {
namespace {

// Fake: the machine, with atomics that count how often they are looked at.
uint64_t g_looks = 0;
template <class T>
class CountingAtomic : public RealWorld::Atomic<T> {
 public:
  using RealWorld::Atomic<T>::Atomic;
  T load(std::memory_order order) const {
    ++g_looks;
    return RealWorld::Atomic<T>::load(order);
  }
};
struct CountingWorld : RealWorld {
  template <class T>
  using Atomic = CountingAtomic<T>;
};

class WaitingBlocksTest : public testing::Test {
 protected:
  static Options batches_of(unsigned blocks) {
    Options options;
    options.epoch_batch = blocks;
    return options;
  }
  auto released() {
    return [this](void* at, size_t bytes) {
      EXPECT_EQ(at, &blocks_[bytes]);
      released_.push_back(bytes);
    };
  }
  // As a commit that frees one block.
  void free(WaitingBlocks<CountingWorld>& waiting) {
    ASSERT_TRUE(waiting.add(&blocks_[next_], next_, epochs_.now()));
    ++next_;
    waiting.collect(released());
  }
  void expect_released(size_t count) {
    ASSERT_EQ(released_.size(), count);
    for (size_t i = 0; i < count; ++i) EXPECT_EQ(released_[i], i);
  }

  static constexpr size_t kMost = 20000;
  Epochs<CountingWorld> epochs_;
  const uint32_t self_ = epochs_.add(), other_ = epochs_.add();
  std::vector<char> blocks_ = std::vector<char>(kMost);
  std::vector<size_t> released_;
  size_t next_ = 0;
};

TEST_F(WaitingBlocksTest, LooksOnceABatchWhileAnAttemptRuns) {
  constexpr unsigned kBatch = 64;
  const Options options = batches_of(kBatch);
  WaitingBlocks<CountingWorld> waiting(options, epochs_);
  epochs_.announce(other_);
  g_looks = 0;
  for (size_t i = 0; i < kMost; ++i) free(waiting);
  // One at the epoch of each block; with each batch at the epoch, the number of slots, and two.
  EXPECT_LE(g_looks, kMost + 4 * (kMost / kBatch));
  EXPECT_GE(g_looks, kMost);
  expect_released(0);
  EXPECT_EQ(waiting.size(), kMost);
  epochs_.leave(other_);
  waiting.end(released());
  expect_released(kMost);
}

TEST_F(WaitingBlocksTest, OnlyThoseWhoseTimeHasCome) {
  const Options options = batches_of(4);
  WaitingBlocks<CountingWorld> waiting(options, epochs_);
  for (int i = 0; i < 4; ++i) free(waiting);
  expect_released(4);
  for (int i = 0; i < 3; ++i) free(waiting);
  epochs_.advance();
  epochs_.announce(other_);
  free(waiting);
  expect_released(7);
  for (int i = 0; i < 6; ++i) free(waiting);
  expect_released(7);
  epochs_.leave(other_);
  free(waiting);
  expect_released(7);  // the next look is a batch later
  free(waiting);
  expect_released(16);
}

// Attempts follow each other without a moment when none runs: the list is never empty, and yet does
// not keep what has gone.
TEST_F(WaitingBlocksTest, ManyAttemptsInTurn) {
  const Options options = batches_of(1);
  WaitingBlocks<CountingWorld> waiting(options, epochs_);
  uint32_t runs = self_;
  epochs_.announce(runs);
  for (size_t i = 0; i < 1000; ++i) {
    free(waiting);
    if (i % 10 != 9) continue;
    const uint32_t next = runs == self_ ? other_ : self_;
    epochs_.announce(next);
    epochs_.leave(runs);
    runs = next;
  }
  EXPECT_GE(released_.size(), 970U);
  EXPECT_EQ(waiting.size(), 1000 - released_.size());
  epochs_.leave(runs);
  waiting.end(released());
  expect_released(1000);
}

}  // namespace
}  // namespace mmt::stm
