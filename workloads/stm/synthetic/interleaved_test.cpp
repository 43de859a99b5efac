// Where threads yield is decided by the run's seed and the thread's number, not by addresses.
#include "stm/synthetic/interleaved.h"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace {

int steps = 0;
std::vector<int>* yields = nullptr;  // null but while a worker runs

}  // namespace

// In place of the C library's. A sanitizer yields too, and with its allocator locked.
extern "C" int sched_yield() noexcept {
  if (yields != nullptr) yields->push_back(steps);
  return 0;
}

namespace mmt::workloads::stm {
namespace {

std::vector<int> yields_of(unsigned number) {
  mmt::stm::Memory memory{mmt::stm::Options()};
  InterleavedWorker worker(memory, number);
  static uint64_t word = 0;
  std::vector<int> seen;
  seen.reserve(500);  // no allocation, thus no yield of an allocator's
  yields = &seen;
  worker.run([](auto& tx) {
    for (steps = 0; steps < 500; ++steps) tx.read(word);
  });
  yields = nullptr;
  return seen;
}

TEST(Interleaved, YieldsFollowSeedAndNumber) {
  Interleaving::every = 8;
  Interleaving::seed = 1;
  const std::vector<int> first = yields_of(0);
  ASSERT_GT(first.size(), 20u);
  // From another depth of the stack.
  EXPECT_EQ([] { return std::vector<int>(yields_of(0)); }(), first);
  EXPECT_NE(yields_of(1), first);
  Interleaving::seed = 9;
  EXPECT_NE(yields_of(0), first);
}

}  // namespace
}  // namespace mmt::workloads::stm
