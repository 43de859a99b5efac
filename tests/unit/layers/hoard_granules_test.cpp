// Below Hoard's superblocks: size classes, aligned granules and their map, and large blocks.
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/general/hoard/geometric_classes.h>
#include <mmt/layers/general/hoard/granule_heap.h>
#include <mmt/layers/general/hoard/large_object_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>

namespace mmt::layers {
namespace {

template <class Classes>
void check_classes() {
  EXPECT_EQ(Classes::size(Classes::kCount - 1), Classes::kLargest);
  for (size_t c = 0; c != Classes::kCount; ++c) {
    const size_t size = Classes::size(c);
    ASSERT_EQ(size % kBlockAlignment, 0u);
    ASSERT_EQ(Classes::of(size), c);
    ASSERT_EQ(Classes::floor_of(size), c);
    if (c != 0) {
      const size_t before = Classes::size(c - 1);
      ASSERT_LT(before, size);
      ASSERT_LE(size - before, before < 64 ? 16 : before / 4) << size;
    }
  }
  for (size_t bytes = 0; bytes <= Classes::kLargest; ++bytes) {
    const size_t c = Classes::of(bytes);
    ASSERT_GE(Classes::size(c), bytes);
    ASSERT_TRUE(c == 0 || Classes::size(c - 1) < bytes) << bytes;
    if (bytes < Classes::size(0)) continue;
    const size_t floor = Classes::floor_of(bytes);
    ASSERT_LE(Classes::size(floor), bytes);
    ASSERT_TRUE(floor + 1 == Classes::kCount || Classes::size(floor + 1) > bytes) << bytes;
  }
}

TEST(GeometricClasses, GrowByAQuarterAtMost) {
  check_classes<GeometricClasses<32704>>();
  check_classes<GeometricClasses<4032>>();
  check_classes<GeometricClasses<4096>>();
  check_classes<GeometricClasses<32>>();
  EXPECT_EQ(GeometricClasses<32704>::kCount, 40u);
}

// Fake: counts what is out, and refuses when it is told to.
class CountingSource : public MmapHeap {
 public:
  static inline size_t blocks = 0;
  static inline size_t calls = 0;
  static inline bool is_out = false;

  void* malloc(size_t bytes) { return allocate(bytes, kAlignment).data; }
  Block allocate(size_t bytes, size_t alignment) {
    ++calls;
    const Block block = is_out ? Block{} : MmapHeap::allocate(bytes, alignment);
    if (block.data != nullptr) ++blocks;
    return block;
  }
  void free(void* block) {
    --blocks;
    MmapHeap::free(block);
  }
};

constexpr size_t kSize = 65536;
using OfGranules = Pipe<CountingSource, Granules<kSize>>;
using OfLarge = Pipe<CountingSource, Granules<kSize>, LargeObjects>;

bool is_at(const void* address, size_t alignment) {
  return reinterpret_cast<uintptr_t>(address) % alignment == 0;
}

TEST(GranuleHeap, CutsSinglesOffBatches) {
  CountingSource::calls = 0;
  {
    OfGranules heap;
    std::set<char*> all;
    for (int i = 0; i < 40; ++i) {
      auto* const granule = static_cast<char*>(heap.malloc(i % 2 == 0 ? kSize : 1));
      ASSERT_TRUE(is_at(granule, kSize));
      ASSERT_TRUE(all.insert(granule).second);
      EXPECT_EQ(heap.get_size(granule), kSize);
      EXPECT_TRUE(heap.owns(granule + kSize - 1));
      std::memset(granule, 1, kSize);
    }
    EXPECT_EQ(CountingSource::calls, 3u);
    for (char* granule : all) heap.free(granule);
    std::set<char*> again;
    for (int i = 0; i < 40; ++i) again.insert(static_cast<char*>(heap.malloc(100)));
    EXPECT_EQ(again, all);
    EXPECT_EQ(CountingSource::calls, 3u);
    EXPECT_EQ(heap.usage().system_bytes, 48 * kSize);
    EXPECT_EQ(heap.usage().free_bytes, 8 * kSize);
  }
  EXPECT_EQ(CountingSource::blocks, 0u);
}

TEST(GranuleHeap, TakesOneWhereABatchIsTooMuch) {
  // As much as one granule at a time.
  struct Narrow : MmapHeap {
    Block allocate(size_t bytes, size_t alignment) {
      return bytes > kSize ? Block{} : MmapHeap::allocate(bytes, alignment);
    }
  };
  Pipe<Narrow, Granules<kSize>> heap;
  void* const first = heap.malloc(kSize);
  void* const second = heap.malloc(kSize);
  EXPECT_NE(first, nullptr);
  EXPECT_NE(second, nullptr);
  EXPECT_NE(first, second);
  EXPECT_EQ(heap.malloc(kSize + 1), nullptr);
}

TEST(GranuleHeap, ReturnsBlocksOfSeveral) {
  OfGranules heap;
  const size_t before = CountingSource::blocks;
  auto* const block = static_cast<char*>(heap.malloc(5 * kSize - 3));
  EXPECT_EQ(CountingSource::blocks, before + 1);
  EXPECT_EQ(heap.get_size(block), 5 * kSize);
  EXPECT_EQ(heap.block_around(block + 4 * kSize), block);
  EXPECT_EQ(heap.usage().mapped_bytes, 5 * kSize);
  EXPECT_TRUE(heap.owns(block + 5 * kSize - 1));
  heap.free(block);
  EXPECT_FALSE(heap.owns(block));
  EXPECT_FALSE(heap.owns(block + 4 * kSize));
  EXPECT_EQ(CountingSource::blocks, before);
  EXPECT_EQ(heap.usage().mapped_blocks, 0u);
}

TEST(GranuleHeap, GivesTheMemoryOfFreeOnesBack) {
  OfGranules heap;
  std::vector<char*> all;
  for (int i = 0; i < 32; ++i) {
    all.push_back(static_cast<char*>(heap.malloc(kSize)));
    std::memset(all.back(), 1, kSize);
  }
  EXPECT_FALSE(heap.trim());
  for (char* granule : all) heap.free(granule);
  // Sixteen keep theirs.
  EXPECT_EQ(all[0][kSize - 1], 1);
  EXPECT_EQ(all[31][kSize - 1], 0);
  EXPECT_TRUE(heap.trim());
  EXPECT_FALSE(heap.trim());
  for (const char* granule : all) EXPECT_EQ(granule[kSize - 1], 0);
}

TEST(GranuleHeap, PassesRefusalsOn) {
  OfGranules heap;
  CountingSource::is_out = true;
  EXPECT_EQ(heap.malloc(1), nullptr);
  EXPECT_EQ(heap.malloc(3 * kSize), nullptr);
  CountingSource::is_out = false;
  EXPECT_EQ(heap.malloc(SIZE_MAX), nullptr);
  EXPECT_EQ(heap.usage().system_bytes, 0u);
  EXPECT_NE(heap.malloc(1), nullptr);
}

TEST(GranuleMap, KnowsTheWholeAddressSpace) {
  GranuleMap<kSize> map;
  // 64 GiB are the part of one table.
  constexpr uintptr_t kBorder = uintptr_t{7} << 36;
  const auto at = [](uintptr_t address) { return reinterpret_cast<void*>(address); };
  EXPECT_EQ(map.of(at(kBorder)), 0);
  ASSERT_TRUE(map.prepare(at(kBorder - 3 * kSize), 6));
  map.set(at(kBorder - 3 * kSize), 6, 3);
  map.set(at(kBorder - 3 * kSize), 1, 2);
  EXPECT_EQ(map.of(at(kBorder - 3 * kSize)), 2);
  EXPECT_EQ(map.of(at(kBorder - 3 * kSize - 1)), 0);
  EXPECT_EQ(map.of(at(kBorder - 1)), 3);
  EXPECT_EQ(map.of(at(kBorder + 3 * kSize - 1)), 3);
  EXPECT_EQ(map.of(at(kBorder + 3 * kSize)), 0);
  EXPECT_EQ(map.of(at(~uintptr_t{0})), 0);
  EXPECT_EQ(map.of(nullptr), 0);

  ASSERT_TRUE(map.prepare(at(kSize), 1));
  map.set(at(kSize), 1, 9);
  EXPECT_FALSE(map.prepare(at(uintptr_t{1} << 48), 1));
  std::vector<std::pair<uintptr_t, int>> seen;
  map.for_each([&](char* begin, uint8_t value) {
    seen.emplace_back(reinterpret_cast<uintptr_t>(begin), value);
  });
  ASSERT_EQ(seen.size(), 7u);
  EXPECT_EQ(seen.front(), std::pair(uintptr_t{kSize}, 9));
  EXPECT_EQ(seen[1], std::pair(kBorder - 3 * kSize, 2));
  EXPECT_EQ(seen[6], std::pair(kBorder + 2 * kSize, 3));
}

TEST(LargeObjectHeap, FindsItsHeadersWhateverTheAlignment) {
  OfLarge heap;
  for (size_t alignment = 1; alignment <= size_t{8} << 20; alignment *= 2) {
    for (const size_t bytes : {size_t{0}, size_t{1}, size_t{100000}, alignment}) {
      const Block block = heap.allocate(bytes, alignment);
      ASSERT_NE(block.data, nullptr);
      ASSERT_TRUE(is_at(block.data, alignment));
      ASSERT_GE(block.size, bytes);
      ASSERT_EQ(heap.get_size(block.data), block.size);
      ASSERT_TRUE(heap.owns(block.data));
      std::memset(block.data, 1, block.size);
      heap.free(block.data);
    }
  }
  EXPECT_EQ(heap.usage().mapped_blocks, 0u);
}

TEST(LargeObjectHeap, TellsItsSizes) {
  OfLarge heap;
  EXPECT_EQ(heap.good_size(1), kSize - 64);
  EXPECT_EQ(heap.good_size(kSize - 64), kSize - 64);
  EXPECT_EQ(heap.good_size(kSize - 63), 2 * kSize - 64);
  void* const block = heap.malloc(kSize);
  EXPECT_TRUE(heap.expand(block, 2 * kSize - 64));
  EXPECT_FALSE(heap.expand(block, 2 * kSize));
}

}  // namespace
}  // namespace mmt::layers
