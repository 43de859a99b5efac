// Large blocks with mappings of their own: what is noted of them, and counted. Their addresses are
// made up, since nobody looks there.
#include "heap/store/own_mappings.h"

#include <gtest/gtest.h>

#include <mmt/sys/pages.h>

#include "support/free_runs_fixture.h"
#include "support/units.h"

namespace mmt::store {
namespace {

using test::kMiB;

void* block_at(uintptr_t mib) { return reinterpret_cast<void*>(mib << 20); }

class OwnMappingsTest : public test::FreeRunsFixture {
 protected:
  OwnMappingsTest() { mapped.open(&tally); }
  ~OwnMappingsTest() override { sys::unmap(room.at, room.bytes); }

  void make_room() {
    room.bytes = mapped.wanted_room();
    ASSERT_NE(room.bytes, 0u);
    room.at = sys::map_anywhere(room.bytes);
    ASSERT_EQ(mapped.use_room(lock, room).bytes, 0u) << "there was none before";
  }

  OwnMappings mapped;
  MappingTable::Room room{};
};

TEST_F(OwnMappingsTest, NoBlockIsNotedWithoutRoom) {
  room = {sys::map_anywhere(kMiB), kMiB};
  EXPECT_FALSE(mapped.add(lock, block_at(1), kMiB));
  EXPECT_FALSE(mapped.has_any());
  EXPECT_EQ(counted().large_blocks, 0u);
}

TEST_F(OwnMappingsTest, BlocksCountAsLargeOnesWhileTheyAreNoted) {
  make_room();
  ASSERT_TRUE(mapped.add(lock, block_at(1), 300 * kMiB));
  ASSERT_TRUE(mapped.add(lock, block_at(1000), 400 * kMiB));
  EXPECT_TRUE(mapped.has_any());
  EXPECT_FALSE(mapped.is_changing());
  EXPECT_EQ(mapped.bytes_of(lock, block_at(1)), 300 * kMiB);
  EXPECT_EQ(mapped.bytes_of(lock, block_at(2)), 0u);
  EXPECT_EQ(mapped.bytes(lock), 700 * kMiB);
  EXPECT_EQ(counted().large_bytes, 700 * kMiB);
  EXPECT_EQ(mapped.remove(lock, block_at(2)), 0u);
  EXPECT_EQ(mapped.remove(lock, block_at(1)), 300 * kMiB);
  EXPECT_EQ(mapped.remove(lock, block_at(1000)), 400 * kMiB);
  EXPECT_EQ(mapped.bytes(lock), 0u);
  EXPECT_EQ(counted().large_blocks, 0u);
  EXPECT_EQ(counted().large_bytes_peak, 700 * kMiB);
}

TEST_F(OwnMappingsTest, BlockThatMovesIsOneAndTheSame) {
  make_room();
  ASSERT_TRUE(mapped.add(lock, block_at(1), 300 * kMiB));
  const size_t before = mapped.begin_move(lock, block_at(1));
  ASSERT_EQ(before, 300 * kMiB);
  mapped.end_move(lock, block_at(1), block_at(1000), before, 500 * kMiB);
  EXPECT_EQ(mapped.bytes_of(lock, block_at(1)), 0u);
  EXPECT_EQ(mapped.bytes_of(lock, block_at(1000)), 500 * kMiB);
  EXPECT_EQ(mapped.bytes(lock), 500 * kMiB);
  EXPECT_EQ(counted().large_taken, 1u);
  EXPECT_EQ(counted().large_bytes, 500 * kMiB);
}

TEST_F(OwnMappingsTest, VisitSeesBlocksAndTheTable) {
  make_room();
  ASSERT_TRUE(mapped.add(lock, block_at(1), 300 * kMiB));
  size_t sum = 0;
  mapped.for_each(lock, [&](const void*, size_t bytes) { sum += bytes; });
  EXPECT_EQ(sum, 300 * kMiB + room.bytes);
}

}  // namespace
}  // namespace mmt::store
