// HybridHeap keeps small blocks for small requests, and gives large ones back at once. No block is
// ever handed out for more than it has, whatever sizes the super-heap rounds up to.
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/core/checked.h>
#include <mmt/layers/combine/hybrid_heap.h>
#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/combine/strict_seg_heap.h>
#include <mmt/layers/fit/bounded_freelist_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/source/mmap_heap.h>

#include "unit/layers/bottom_heap.h"
#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

// As the super-heap's blocks are in allocators that round up: by kEighths eighths, then to 16.
template <size_t kEighths, class Super>
class GenerousHeap : public Super {
 public:
  using Super::Super;
  void* malloc(size_t bytes) {
    return bytes > kMaxRequest / 4 ? nullptr : Super::malloc(usable(bytes));
  }

 private:
  static size_t usable(size_t bytes) {
    return core::align_up(bytes + bytes * kEighths / 8, 16) + 8;
  }
};
template <size_t kEighths>
struct Generous {
  template <class Super>
  using Over = GenerousHeap<kEighths, Super>;
};

template <class H>
void expect_small_blocks_to_be_kept(H& heap, Bottom& bottom, size_t limit) {
  void* const small = heap.malloc(limit);
  heap.free(small);
  EXPECT_EQ(bottom.statistics().blocks, 1u);
  EXPECT_EQ(heap.malloc(1), small);
  heap.free(small);
  EXPECT_EQ(heap.malloc(limit - 1), small);
  heap.free(small);
}

// Just beyond the limit, where a block could be taken for a small one.
template <class H>
void expect_large_blocks_to_go_back(H& heap, Bottom& bottom, size_t limit) {
  const size_t before = bottom.statistics().blocks;
  for (size_t bytes = limit + 1; bytes < 3 * limit; bytes += bytes < limit + 70 ? 1 : 13) {
    void* const large = heap.malloc(bytes);
    ASSERT_NE(large, nullptr);
    std::memset(large, 0xff, bytes);
    EXPECT_GE(heap.get_size(large), bytes);
    heap.free(large);
    ASSERT_EQ(bottom.statistics().blocks, before) << bytes;
  }
}

template <class... Stages>
void try_out(size_t limit) {
  Bottom bottom;
  {
    OverBottom<Stages...> heap(bottom);
    expect_small_blocks_to_be_kept(heap, bottom, limit);
    expect_large_blocks_to_go_back(heap, bottom, limit);
    mix(heap, 1, 5000, 4 * limit);
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u);
}

TEST(HybridHeap, OverMalloc) { try_out<Hybrid<500, Freelist>>(500); }
TEST(HybridHeap, OverExactSizes) { try_out<Size, Hybrid<500, Freelist>>(500); }
TEST(HybridHeap, OverMallocWithABoundedList) { try_out<Hybrid<100, BoundedFreelist<3>>>(100); }
TEST(HybridHeap, OverAHeapThatRoundsUpALittle) {
  try_out<Generous<1>, Hybrid<4096, Freelist>>(4096);
}
TEST(HybridHeap, OverAHybrid) { try_out<Size, Hybrid<1000, Freelist>, Hybrid<50, Freelist>>(50); }

// A block may even be taken for a large one: then it is not kept, and all is right nonetheless.
TEST(HybridHeap, OverAHeapThatDoublesSizes) {
  Bottom bottom;
  {
    OverBottom<Generous<8>, Hybrid<500, Freelist>> heap(bottom);
    expect_large_blocks_to_go_back(heap, bottom, 500);
    mix(heap, 2, 5000, 2000);
    void* const small = heap.malloc(500);
    heap.free(small);
    EXPECT_EQ(bottom.statistics().blocks, 0u);
  }
  Pipe<KingsleyHeap<MmapHeap>, Hybrid<500, Freelist>> kingsley;
  mix(kingsley, 3, 20000, 3000);
}

TEST(HybridHeap, ASmallHeapOfManySizes) {
  Bottom bottom;
  {
    OverBottom<Size, Hybrid<1000, StrictSeg<PowersOfTwo<7>, Freelist>>> heap(bottom);
    void* const block = heap.malloc(100);
    heap.free(block);
    void* const other = heap.malloc(300);
    EXPECT_NE(other, block);
    heap.free(other);
    EXPECT_EQ(heap.malloc(101), block);
    heap.free(block);
    expect_large_blocks_to_go_back(heap, bottom, 1000);
    mix(heap, 4, 20000, 3000);
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u);
}

TEST(HybridHeap, AlignedBlocksAreNotKept) {
  Bottom bottom;
  OverBottom<Hybrid<500, Freelist>> heap(bottom);
  OverBottom<Size, Hybrid<500, Freelist>> sized(bottom);
  for (const size_t alignment : {1u, 16u, 64u, 4096u}) {
    for (const size_t bytes : {0u, 10u, 499u, 500u, 501u, 600u, 5000u}) {
      for (const Block block : {heap.allocate(bytes, alignment), heap.allocate(bytes, alignment)}) {
        ASSERT_NE(block.data, nullptr);
        EXPECT_TRUE(is_aligned(block.data, alignment));
        EXPECT_GE(block.size, bytes);
        heap.free(block.data);
      }
      const Block block = sized.allocate(bytes, alignment);
      EXPECT_TRUE(is_aligned(block.data, alignment));
      EXPECT_GE(sized.get_size(block.data), bytes);
      sized.free(block.data);
      EXPECT_EQ(bottom.statistics().blocks, 0u);
    }
  }
  EXPECT_EQ(heap.allocate(SIZE_MAX, 64).data, nullptr);
}

TEST(HybridHeap, RefusalsAndGoodSizes) {
  Bottom bottom;
  OverBottom<Size, Hybrid<500, Freelist>> heap(bottom);
  for (const size_t bytes : {SIZE_MAX, SIZE_MAX - 100, SIZE_MAX / 2}) {
    EXPECT_EQ(heap.malloc(bytes), nullptr);
    EXPECT_EQ(heap.good_size(bytes), 0u);
  }
  EXPECT_EQ(heap.good_size(10), 500u);
  EXPECT_EQ(heap.good_size(501), 501u) << "sizes are exact: no request is raised";
  refuse_all(bottom);
  EXPECT_EQ(heap.malloc(10), nullptr);
  EXPECT_EQ(heap.malloc(1000), nullptr);
  serve_all(bottom);
  void* const block = heap.malloc(10);
  EXPECT_EQ(heap.get_size(block), 500u);
  heap.free(block);
}

TEST(HybridHeap, ClearForgetsTheSmallBlocks) {
  Pipe<KingsleyHeap<MmapHeap>, Hybrid<100, Freelist>> heap;
  for (int round = 0; round < 3; ++round) {
    std::vector<void*> blocks;
    for (int i = 0; i < 100; ++i) blocks.push_back(heap.malloc(100));
    for (void* block : blocks) heap.free(block);
    heap.clear();
  }
  mix(heap, 5, 1000, 500);
}

static_assert(LendingHeap<Pipe<RefHeap<Bottom>, Freelist>, RefHeap<Bottom>>);
static_assert(!LendingHeap<Pipe<RefHeap<Bottom>, Size, Freelist>, RefHeap<Bottom>>);

}  // namespace
}  // namespace mmt::layers
