// What the probe says of blocks of two threads, on addresses that are made up.
#include "stm/allocator_probe/threads.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace mmt::workloads::stm {
namespace {

// As in Figure 2 of the paper: blocks of 16 bytes, next to each other, in turn.
TEST(SharedUnits, BlocksInTurnShareLines) {
  const InTurn dense{{0x1000, 0x1020, 0x1040}, {0x1010, 0x1030, 0x1050}};
  EXPECT_EQ(shared_units(dense, 6), 3u);
  EXPECT_EQ(shared_units(dense, 5), 3u);
  EXPECT_EQ(shared_units(dense, 4), 0u);
}

TEST(SharedUnits, HeapsOfTheirOwnShareNone) {
  const InTurn apart{{0x10000, 0x10010}, {0x20000, 0x20010}};
  EXPECT_EQ(shared_units(apart, 6), 0u);
  EXPECT_EQ(alignment_between(apart), 0x10000u);
}

TEST(SharedUnits, OneBlockOfTheOthersInALineIsEnough) {
  const InTurn one{{0x1000, 0x1040, 0x1080}, {0x1070, 0x2000, 0x3000}};
  EXPECT_EQ(shared_units(one, 6), 1u);
}

TEST(Aliasing, ArenasOf64MiBHaveTheSameLocks) {
  const InTurn arenas{{0x18000000, 0x18000020}, {0x1c000000, 0x1c000020}};
  EXPECT_EQ(aliasing(arenas, 5, 20), 1.0);
  EXPECT_EQ(aliasing(arenas, 7, 20), 0.0);
}

// Each thread's blocks are its own: no address is given out twice.
TEST(BlocksInTurn, AreAllDifferent) {
  const InTurn blocks = blocks_in_turn(16, 32);
  EXPECT_EQ(blocks.first.size(), 32u);
  EXPECT_EQ(shared_units(blocks, 0), 0u);
  for (const auto& places : {blocks.first, blocks.second})
    for (const uintptr_t place : places) std::free(reinterpret_cast<void*>(place));
}

}  // namespace
}  // namespace mmt::workloads::stm
