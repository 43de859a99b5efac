// <mmt/stm.h> from C: transfers of several threads, all widths, errors.
#include <cerrno>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

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

TEST(StmInC, TooManyThreads) {
  mmt_stm_memory* const memory = mmt_stm_create(nullptr);
  std::vector<mmt_stm_thread*> threads;
  while (mmt_stm_thread* const thread = mmt_stm_thread_create(memory)) threads.push_back(thread);
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_GT(threads.size(), 100U);
  for (mmt_stm_thread* const thread : threads) mmt_stm_thread_destroy(thread);
  mmt_stm_destroy(memory);
}

}  // namespace
