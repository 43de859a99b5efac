// The table of mapped blocks against a map, by random operations on addresses that collide often.
#include "heap/store/mapping_table.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include <mmt/sys/pages.h>

namespace mmt::store {
namespace {

// As a caller that inserts does, at the latest moment.
void make_room(MappingTable& table) {
  const size_t bytes = table.wanted_room();
  if (bytes == 0) return;
  const MappingTable::Room left = table.use({sys::map_anywhere(bytes), bytes});
  if (left.bytes != 0) sys::unmap(left.at, left.bytes);
}

const void* block_at(uint64_t number) { return reinterpret_cast<const void*>(number << 12); }

TEST(MappingTable, KnowsWhatIsInIt) {
  MappingTable table;
  std::map<uint64_t, size_t> model;
  std::mt19937_64 random(1);
  for (int step = 0; step < 200000; ++step) {
    const uint64_t number = 1 + random() % 3000 * 513;
    const void* const block = block_at(number);
    const auto known = model.find(number);
    ASSERT_EQ(table.find(block), known == model.end() ? 0 : known->second) << "step " << step;
    if (known == model.end()) {
      const size_t bytes = 2 + random() % 1000 * 2;
      make_room(table);
      ASSERT_TRUE(table.insert(block, bytes));
      model[number] = bytes;
    } else if (random() % 2 == 0) {
      ASSERT_EQ(table.remove(block), known->second);
      model.erase(known);
    }
    ASSERT_EQ(table.count(), model.size());
  }
}

TEST(MappingTable, BlockThatMovesKeepsItsPlaceInTheCount) {
  MappingTable table;
  make_room(table);
  ASSERT_TRUE(table.insert(block_at(1), 10));
  ASSERT_EQ(table.begin_move(block_at(1)), 10u);
  EXPECT_EQ(table.find(block_at(1)), 10u) << "its move may never end";
  EXPECT_EQ(table.count(), 1u);
  table.end_move(block_at(1), block_at(2), 20);
  EXPECT_EQ(table.find(block_at(1)), 0u);
  EXPECT_EQ(table.find(block_at(2)), 20u);
  EXPECT_EQ(table.remove(block_at(2)), 20u);
  EXPECT_EQ(table.count(), 0u);
}

TEST(MappingTable, PlaceOfABlockThatMovesMayBeAnothers) {
  MappingTable table;
  make_room(table);
  ASSERT_TRUE(table.insert(block_at(1), 10));
  ASSERT_EQ(table.begin_move(block_at(1)), 10u);
  ASSERT_TRUE(table.insert(block_at(1), 30));
  table.end_move(block_at(1), block_at(2), 20);
  EXPECT_EQ(table.find(block_at(1)), 30u);
  EXPECT_EQ(table.find(block_at(2)), 20u);
  EXPECT_EQ(table.count(), 2u);
}

TEST(MappingTable, BlockThatStaysMayGrow) {
  MappingTable table;
  make_room(table);
  ASSERT_TRUE(table.insert(block_at(1), 10));
  ASSERT_EQ(table.begin_move(block_at(1)), 10u);
  table.end_move(block_at(1), block_at(1), 20);
  EXPECT_EQ(table.remove(block_at(1)), 20u);
  EXPECT_EQ(table.count(), 0u);
}

TEST(MappingTable, TakesNoMoreThanItHasRoomFor) {
  MappingTable table;
  EXPECT_FALSE(table.insert(block_at(1), 2));
  make_room(table);
  uint64_t number = 1;
  while (table.insert(block_at(number), 2)) ++number;
  EXPECT_EQ(table.count(), number - 1);
  EXPECT_EQ(table.find(block_at(number)), 0u) << "searches end";
  make_room(table);
  EXPECT_TRUE(table.insert(block_at(number), 2));
  for (uint64_t n = 1; n <= number; ++n) ASSERT_EQ(table.find(block_at(n)), 2u);
}

TEST(MappingTable, GivesBackRoomThatIsNoMoreThanItHas) {
  MappingTable table;
  make_room(table);
  void* const page = sys::map_anywhere(sys::kPageSize);
  const MappingTable::Room left = table.use({page, sys::kPageSize});
  EXPECT_EQ(left.at, page);
  EXPECT_EQ(left.bytes, sys::kPageSize);
  sys::unmap(page, sys::kPageSize);
}

TEST(MappingTable, NothingIsInAnEmptyOne) {
  MappingTable table;
  EXPECT_EQ(table.find(block_at(1)), 0u);
  EXPECT_EQ(table.remove(block_at(1)), 0u);
  EXPECT_EQ(table.find(nullptr), 0u);
}

}  // namespace
}  // namespace mmt::store
