// SelectHeap: two heaps that share nothing; each block goes back to the one that owns it.
#include <cstring>

#include <gtest/gtest.h>

#include <mmt/layers/combine/select_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/source/buffer_heap.h>
#include <mmt/layers/source/mapped_heap.h>
#include <mmt/layers/source/mmap_heap.h>

#include "unit/layers/bottom_heap.h"
#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

using SmallBlocks = Pipe<MmapHeap, Chunk<65536>, Freelist>;

TEST(SelectHeap, SizesDecideAndAddressesTell) {
  Bottom bottom;
  {
    OverBottom<Select<64, SmallBlocks>> heap(bottom);
    void* const small = heap.malloc(10);
    EXPECT_EQ(bottom.statistics().blocks, 0u);
    void* const large = heap.malloc(65);
    EXPECT_EQ(bottom.statistics().blocks, 1u);
    heap.free(small);
    heap.free(large);
    EXPECT_EQ(bottom.statistics().blocks, 0u);
    EXPECT_EQ(heap.malloc(64), small) << "a small heap of one size serves every small request";
    heap.free(small);
    mix(heap, 1, 20000, 200);
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u);
}

TEST(SelectHeap, WhatTheSmallHeapRefusesComesFromTheLargeOne) {
  Bottom bottom;
  {
    OverBottom<Select<64, BufferHeap<256>>> heap(bottom);
    void* blocks[8];
    for (void*& block : blocks) {
      block = heap.malloc(64);
      ASSERT_NE(block, nullptr);
      std::memset(block, 0xff, 64);
    }
    EXPECT_EQ(bottom.statistics().blocks, 4u);
    EXPECT_TRUE(heap.expand(blocks[3], 64));
    for (size_t i = 8; i-- > 0;) heap.free(blocks[i]);
    mix(heap, 2, 2000, 200);
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u);
}

TEST(SelectHeap, TheLargeHeapMayBeTheOneThatKnows) {
  Pipe<MappedHeap, Select<64, MmapHeap>> heap;
  void* const small = heap.malloc(64);
  void* const large = heap.malloc(5000);
  EXPECT_TRUE(heap.MappedHeap::owns(large));
  EXPECT_FALSE(heap.MappedHeap::owns(small));
  heap.free(large);
  heap.free(small);
  mix(heap, 3, 300, 9000);
}

TEST(SelectHeap, OffersWhatBothHave) {
  Pipe<KingsleyHeap<MmapHeap>, Select<100, KingsleyHeap<MmapHeap>>> heap;
  void* const small = heap.malloc(20);
  void* const large = heap.malloc(200);
  EXPECT_GE(heap.get_size(small), 20u);
  EXPECT_GE(heap.get_size(large), 200u);
  EXPECT_TRUE(heap.owns(small));
  EXPECT_TRUE(heap.owns(large));
  EXPECT_FALSE(heap.owns(&heap));
  EXPECT_FALSE(heap.expand(small, 1000));
  EXPECT_TRUE(heap.expand(small, 20));
  EXPECT_TRUE(heap.expand(large, 200));
  EXPECT_GE(heap.good_size(20), 20u);
  EXPECT_EQ(heap.good_size(SIZE_MAX), 0u);
  EXPECT_GE(heap.usage().system_bytes, 2 * 4096u);
  for (const size_t bytes : {10u, 1000u}) {
    const Block block = heap.allocate(bytes, 256);
    EXPECT_TRUE(is_aligned(block.data, 256));
    heap.free(block.data);
  }
  mix(heap, 4, 20000, 300);
  heap.clear();
  EXPECT_FALSE(heap.owns(small));
  EXPECT_FALSE(heap.owns(large));
  mix(heap, 5, 2000, 300);
  EXPECT_EQ(heap.malloc(SIZE_MAX), nullptr);
}

// What is told by a word before the block is not so in the small heap.
template <class H>
concept FindsBases = requires(H& heap, void* block) {
  heap.base_of(block);
};
static_assert(FindsBases<Pipe<MmapHeap, Size>>);
static_assert(!FindsBases<Pipe<MmapHeap, Size, Select<64, SmallBlocks>>>);
static_assert(!SizedHeap<OverBottom<Select<64, SmallBlocks>>>);
static_assert(!OwningHeap<OverBottom<Select<64, SmallBlocks>>>);

}  // namespace
}  // namespace mmt::layers
