// <mmt/stm.h> from C: transfers of several threads, all widths, errors.
#include <cerrno>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/stm/options.h>

#include "unit/stm/c_interface_body.h"

namespace {

TEST(StmInC, Transfers) {
  for (unsigned design = 0; design < 4; ++design) {
    mmt_stm_options options;
    mmt_stm_default_options(&options);
    options.design = design;
    mmt_stm_memory* const memory = mmt_stm_create(&options);
    ASSERT_NE(memory, nullptr);
    std::vector<uint64_t> accounts(32);
    int failures[2] = {-1, -1};
    std::thread first([&] { failures[0] = c_transfers(memory, accounts.data(), 32, 1, 500); });
    std::thread second([&] { failures[1] = c_transfers(memory, accounts.data(), 32, 2, 500); });
    first.join();
    second.join();
    EXPECT_EQ(failures[0], 0);
    EXPECT_EQ(failures[1], 0);
    uint64_t total = 0;
    for (const uint64_t account : accounts) total += account;
    EXPECT_EQ(total, 0U);
    EXPECT_EQ(c_widths(memory), 1);
    mmt_stm_statistics seen;
    mmt_stm_get_statistics(memory, &seen);
    EXPECT_EQ(seen.attempts, seen.commits + seen.aborts);
    EXPECT_EQ(seen.commits, 2U * 400 + 2 * 500 + 1);
    mmt_stm_destroy(memory);
  }
}

TEST(StmInC, OptionsOutOfRange) {
  mmt_stm_options options;
  mmt_stm_default_options(&options);
  options.design = 4;
  errno = 0;
  EXPECT_EQ(mmt_stm_create(&options), nullptr);
  EXPECT_EQ(errno, EINVAL);
  options.design = 256;
  EXPECT_EQ(mmt_stm_create(&options), nullptr);
}

mmt_stm_statistics after_conflict(int attribute, unsigned wanted) {
  alignas(32) static uint64_t words[32];
  mmt_stm_options options;
  mmt_stm_default_options(&options);
  options.attribute_aborts = attribute;
  options.log2_orecs = 2;
  mmt_stm_memory* const memory = mmt_stm_create(&options);
  EXPECT_EQ(c_conflict(memory, &words[0], &words[wanted]), 1);
  mmt_stm_statistics seen;
  mmt_stm_get_statistics(memory, &seen);
  mmt_stm_destroy(memory);
  return seen;
}

TEST(StmInC, CausesOfAborts) {
  EXPECT_EQ(after_conflict(1, 0).true_conflicts, 1U);
  EXPECT_EQ(after_conflict(1, 1).shared_stripes, 1U);
  EXPECT_EQ(after_conflict(1, 16).shared_orecs, 1U);
  const mmt_stm_statistics none = after_conflict(0, 0);
  EXPECT_EQ(none.true_conflicts + none.shared_stripes + none.shared_orecs, 0U);
  EXPECT_EQ(none.aborts, 2U);
}

// The count is of 32 blocks, each of which is freed and may be kept.
uint64_t reused(unsigned most_cached, unsigned epoch_batch) {
  mmt_stm_options options;
  mmt_stm_default_options(&options);
  options.caching = 3;
  options.most_cached = most_cached;
  options.epoch_batch = epoch_batch;
  options.safe_privatization = 0;  // a commit that has waited keeps its blocks whatever the batch
  mmt_stm_memory* const memory = mmt_stm_create(&options);
  EXPECT_EQ(c_blocks(memory, 32), 1);
  mmt_stm_statistics seen;
  mmt_stm_get_statistics(memory, &seen);
  EXPECT_EQ(seen.allocations, 32U);
  mmt_stm_destroy(memory);
  return seen.reused;
}

TEST(StmInC, BlocksThatAreKept) {
  const uint64_t most = reused(64, 1);
  EXPECT_GT(most, 0U);
  EXPECT_EQ(reused(0, 1), 0U);
  EXPECT_EQ(reused(64, 100), 0U);
}

TEST(StmInC, DefaultsAreThoseOfOptions) {
  const mmt::stm::Options wanted;
  mmt_stm_options options;
  mmt_stm_default_options(&options);
  EXPECT_EQ(options.most_cached, wanted.most_cached);
  EXPECT_EQ(options.epoch_batch, wanted.epoch_batch);
  EXPECT_EQ(options.attribute_aborts != 0, wanted.attribute_aborts);
}

TEST(StmInC, TooManyThreads) {
  mmt_stm_memory* const memory = mmt_stm_create(nullptr);
  std::vector<mmt_stm_thread*> threads;
  while (mmt_stm_thread* const thread = mmt_stm_thread_create(memory)) threads.push_back(thread);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_GT(threads.size(), 100U);
  for (mmt_stm_thread* const thread : threads) mmt_stm_thread_destroy(thread);
  mmt_stm_destroy(memory);
}

TEST(StmInC, CallsOutsideOfTransactions) {
  mmt_stm_memory* const memory = mmt_stm_create(nullptr);
  for (int what = 0; what < kKinds; ++what) {
    SCOPED_TRACE(what);
    EXPECT_DEATH(c_outside(memory, what), "called outside of MMT_STM_BEGIN and MMT_STM_END");
  }
  mmt_stm_destroy(memory);
}

TEST(StmInC, BodiesThatAreLeft) {
  mmt_stm_memory* const memory = mmt_stm_create(nullptr);
  EXPECT_DEATH(c_left_twice(memory), "was not left by its end");
  mmt_stm_destroy(memory);
}

}  // namespace
