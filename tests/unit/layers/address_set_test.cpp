// The set of addresses by which heaps of mappings know their blocks.
#include <cstdint>
#include <iterator>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/source/address_set.h>
#include <mmt/layers/source/mapped_heap.h>

namespace mmt::layers {
namespace {

const void* at(uintptr_t address) { return reinterpret_cast<const void*>(address); }

TEST(AddressSetTest, FloorIsTheGreatestThatIsNotAbove) {
  AddressSet set;
  EXPECT_EQ(set.floor(at(100)), nullptr);
  for (const uintptr_t address : {300u, 100u, 200u}) ASSERT_TRUE(set.insert(at(address)));
  EXPECT_EQ(set.floor(at(99)), nullptr);
  EXPECT_EQ(set.floor(at(100)), at(100));
  EXPECT_EQ(set.floor(at(199)), at(100));
  EXPECT_EQ(set.floor(at(UINTPTR_MAX)), at(300));
}

TEST(AddressSetTest, IsAsAnOrderedSetOfTheStandardLibrary) {
  AddressSet set;
  std::set<const void*> model;
  uint64_t random = 1;
  for (int step = 0; step < 20000; ++step) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const void* const address = at((random >> 33) % 4096 * 16 + 16);
    if (model.erase(address) != 0) {
      set.erase(address);
    } else {
      model.insert(address);
      ASSERT_TRUE(set.insert(address));
    }
    const auto above = model.upper_bound(at((random >> 40) % 70000));
    const void* const floor = above == model.begin() ? nullptr : *std::prev(above);
    ASSERT_EQ(set.floor(at((random >> 40) % 70000)), floor);
  }
  std::vector<const void*> all;
  set.for_each([&](const void* address) { all.push_back(address); });
  EXPECT_EQ(all, std::vector<const void*>(model.begin(), model.end()));
  EXPECT_EQ(set.count(), model.size());
}

TEST(MappedHeapTest, OwnsEachByteOfABlockAndNoneBesides) {
  MappedHeap heap;
  std::vector<char*> blocks;
  for (size_t i = 0; i < 50; ++i) blocks.push_back(static_cast<char*>(heap.malloc(i * 3000)));
  for (size_t i = 0; i < 50; i += 2) {
    heap.free(blocks[i]);
    EXPECT_FALSE(heap.owns(blocks[i]));
    EXPECT_TRUE(heap.owns(blocks[i + 1]));
    EXPECT_TRUE(heap.owns(blocks[i + 1] + (i + 1) * 3000 - 1));
  }
  int local = 0;
  EXPECT_FALSE(heap.owns(&local));
  EXPECT_FALSE(heap.owns(nullptr));
}

}  // namespace
}  // namespace mmt::layers
