// ZoneHeap: blocks stay until all end at once, or back to a mark; one chunk is kept.
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/special/zone_heap.h>

#include "unit/layers/bottom_heap.h"
#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

using Region = OverBottom<Zone<1024>>;

size_t chunks_of(const Bottom& bottom) { return bottom.statistics().blocks; }

TEST(ZoneHeap, LaysBlocksOneAfterTheOther) {
  Bottom bottom;
  Region heap(bottom);
  char* const first = static_cast<char*>(heap.malloc(1));
  EXPECT_TRUE(is_aligned(first));
  EXPECT_EQ(heap.malloc(0), first + 16);
  EXPECT_EQ(heap.malloc(17), first + 32);
  EXPECT_EQ(heap.malloc(16), first + 64);
  heap.free(first);
  EXPECT_EQ(heap.malloc(16), first + 80) << "free gives nothing back";
  EXPECT_EQ(chunks_of(bottom), 1u);
}

TEST(ZoneHeap, LargeBlocksHaveChunksOfTheirOwn) {
  Bottom bottom;
  Region heap(bottom);
  char* const small = static_cast<char*>(heap.malloc(16));
  while (heap.malloc(240) == nullptr || chunks_of(bottom) == 1) {
  }
  const size_t chunks = chunks_of(bottom);
  char* const next = static_cast<char*>(heap.malloc(16));
  void* const large = heap.malloc(5000);
  std::memset(large, 0xff, 5000);
  EXPECT_EQ(chunks_of(bottom), chunks + 1);
  EXPECT_EQ(heap.malloc(16), next + 16) << "the chunk in use is still used";
  EXPECT_TRUE(heap.owns(small));
  EXPECT_TRUE(heap.owns(static_cast<char*>(large) + 4999));
  EXPECT_FALSE(heap.owns(&heap));
  EXPECT_GE(heap.memory_used(), 5000u + 2000);
}

TEST(ZoneHeap, ClearKeepsOneChunk) {
  Bottom bottom;
  {
    Region heap(bottom);
    heap.clear();
    EXPECT_EQ(chunks_of(bottom), 0u);
    for (int round = 0; round < 5; ++round) {
      for (int i = 0; i < 100; ++i) std::memset(heap.malloc(100), 0xff, 100);
      for (int i = 0; i < 3; ++i) std::memset(heap.malloc(3000), 0xff, 3000);
      EXPECT_GT(chunks_of(bottom), 12u);
      heap.clear();
      EXPECT_EQ(chunks_of(bottom), 1u);
    }
    const size_t mallocs = bottom.statistics().mallocs;
    heap.malloc(200);
    EXPECT_EQ(bottom.statistics().mallocs, mallocs) << "that chunk is not used";
  }
  EXPECT_EQ(chunks_of(bottom), 0u);
}

TEST(ZoneHeap, OnlyALargeBlockIsClearedToo) {
  Bottom bottom;
  Region heap(bottom);
  const auto empty = heap.mark();
  heap.malloc(3000);
  heap.clear();
  EXPECT_EQ(chunks_of(bottom), 0u);
  heap.malloc(3000);
  heap.rewind(empty);
  EXPECT_EQ(chunks_of(bottom), 0u);
}

TEST(ZoneHeap, RewindsToMarks) {
  Bottom bottom;
  Region heap(bottom);
  Random random(5);
  struct Level {
    Region::Mark mark;
    size_t chunks;
    size_t count;
  };
  std::vector<Level> levels;
  std::vector<MixedBlock> live;
  for (int i = 0; i < 20000; ++i) {
    const size_t choice = random.below(100);
    if (choice < 3) {
      levels.push_back({heap.mark(), chunks_of(bottom), live.size()});
    } else if (choice < 6 && !levels.empty()) {
      const size_t depth = random.below(levels.size());
      levels.resize(levels.size() - depth);
      const Level& level = levels.back();
      for (const MixedBlock& block : live) ASSERT_TRUE(block.is_intact(block.size));
      heap.rewind(level.mark);
      live.resize(level.count);
      // The one chunk that is kept may be the zone's first.
      ASSERT_LE(chunks_of(bottom), level.chunks + 1);
      levels.pop_back();
    } else {
      const size_t size = random.below(random.below(choice == 99 ? 4000 : 300) + 1);
      auto* const data = static_cast<unsigned char*>(heap.malloc(size));
      ASSERT_NE(data, nullptr);
      live.push_back({data, size, static_cast<unsigned char>(i)});
      live.back().fill();
    }
    if (live.size() > 2000) {
      heap.clear();
      live.clear();
      levels.clear();
    }
  }
}

TEST(ZoneHeap, AMarkLeadsBackToTheSamePlace) {
  Bottom bottom;
  Region heap(bottom);
  heap.malloc(100);
  const auto mark = heap.mark();
  void* const next = heap.malloc(50);
  for (int i = 0; i < 50; ++i) heap.malloc(200);
  heap.malloc(2000);
  heap.rewind(mark);
  EXPECT_EQ(chunks_of(bottom), 1u);
  EXPECT_EQ(heap.malloc(10), next);
}

TEST(ZoneHeap, Aligns) {
  Bottom bottom;
  Region heap(bottom);
  for (size_t alignment = 1; alignment <= 65536; alignment *= 2) {
    for (const size_t bytes : {0u, 1u, 100u, 2000u}) {
      const Block block = heap.allocate(bytes, alignment);
      ASSERT_NE(block.data, nullptr);
      EXPECT_TRUE(is_aligned(block.data, alignment));
      EXPECT_GE(block.size, bytes);
      std::memset(block.data, 0xff, block.size);
    }
  }
}

TEST(ZoneHeap, ARefusalChangesNothing) {
  Bottom bottom;
  Region heap(bottom);
  for (int round = 0; round < 2; ++round) {
    for (const size_t bytes : {SIZE_MAX, SIZE_MAX - 15, SIZE_MAX - 40, SIZE_MAX / 2}) {
      EXPECT_EQ(heap.malloc(bytes), nullptr);
      EXPECT_EQ(heap.allocate(bytes, 64).data, nullptr);
    }
    refuse_all(bottom);
    EXPECT_EQ(heap.malloc(4000), nullptr);
    if (round == 0) {
      EXPECT_EQ(heap.malloc(100), nullptr);
    }
    serve_all(bottom);
    void* const block = heap.malloc(100);
    ASSERT_NE(block, nullptr);
    refuse_all(bottom);
    EXPECT_EQ(heap.malloc(4000), nullptr);
    EXPECT_EQ(heap.malloc(100), static_cast<char*>(block) + 112);
    serve_all(bottom);
  }
}

static_assert(!SizedHeap<Region> && ClearableHeap<Region> && AligningHeap<Region>);

}  // namespace
}  // namespace mmt::layers
