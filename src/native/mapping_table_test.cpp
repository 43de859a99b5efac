// The table of mapped blocks against a map, by random operations on addresses that collide often.
#include "native/mapping_table.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace mmt::native {
namespace {

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
      const size_t bytes = 1 + random() % 1000;
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
  ASSERT_TRUE(table.insert(block_at(1), 10));
  ASSERT_EQ(table.begin_move(block_at(1)), 10u);
  EXPECT_EQ(table.find(block_at(1)), 0u);
  EXPECT_EQ(table.count(), 1u);
  table.end_move(block_at(2), 20);
  EXPECT_EQ(table.find(block_at(2)), 20u);
  EXPECT_EQ(table.remove(block_at(2)), 20u);
  EXPECT_EQ(table.count(), 0u);
}

TEST(MappingTable, NothingIsInAnEmptyOne) {
  MappingTable table;
  EXPECT_EQ(table.find(block_at(1)), 0u);
  EXPECT_EQ(table.remove(block_at(1)), 0u);
  EXPECT_EQ(table.find(nullptr), 0u);
}

}  // namespace
}  // namespace mmt::native
