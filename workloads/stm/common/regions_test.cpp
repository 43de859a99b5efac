// What is counted where: lexically by the call, dynamically by whether a transaction runs.
#include "stm/common/regions.h"

#include <gtest/gtest.h>

#include "stm/common/world.h"

namespace mmt::workloads::stm {
namespace {

TEST(Regions, PlainCallsWithinTransactions) {
  forget_counts();
  mmt::stm::Memory memory;
  {
    const ParallelPhase phase(0);
    StmWorker worker(memory, 0);
    void* const outside = plain_allocate(24);
    worker.run([&](auto& tx) {
      tx.free(tx.allocate(40), 40);
      plain_free(plain_allocate(100));
      // One within the other is the same transaction.
      worker.run([&](auto& /*tx*/) { plain_free(plain_allocate(200)); });
      plain_free(plain_allocate(8));
    });
    plain_free(outside);
  }
  EXPECT_EQ(sum_of(Region::kPar).mallocs, 4U);
  EXPECT_EQ(sum_of(Region::kPar).frees, 4U);
  EXPECT_EQ(sum_of(Region::kTx).mallocs, 1U);
  const RegionCounts within = sum_within_tx();
  EXPECT_EQ(within.mallocs, 3U);
  EXPECT_EQ(within.frees, 3U);
  EXPECT_EQ(within.bytes, 308U);
  EXPECT_EQ(within.bins[0], 1U);
}

}  // namespace
}  // namespace mmt::workloads::stm
