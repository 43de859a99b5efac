// PHOThreadHeap: a block goes back to the heap that it came from, whichever thread frees it.
#include <gtest/gtest.h>

#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/general/lea_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/thread/pho_thread_heap.h>
#include <mmt/layers/thread/thread_heap.h>

#include "unit/layers/bottom_heap.h"
#include "unit/layers/threaded_mix.h"

namespace mmt::layers {
namespace {

constexpr size_t kMany = 64;  // more than a test has threads

TEST(PHOThreadHeap, BlocksGoBackToTheirHeap) {
  Bottom bottom;
  {
    OverBottom<PHOThread<kMany, Kingsley>> heap(bottom);
    void* const block = heap.malloc(100);
    in_another_heap<kMany>([&] {
      heap.free(block);
      void* const other = heap.malloc(100);
      EXPECT_NE(other, block) << "memory goes to the thread that allocated it";
      heap.free(other);
    });
    EXPECT_EQ(heap.malloc(100), block);
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u) << "private heaps return their memory";
}

// What one thread takes and another frees. Memory comes back to the thread that takes it; in pure
// private heaps it piles up where it is freed.
template <class H>
size_t bytes_after(H& heap, Bottom& bottom, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    void* blocks[100];
    for (void*& block : blocks) block = heap.malloc(100);
    in_another_heap<kMany>([&] {
      for (void* block : blocks) heap.free(block);
    });
  }
  return bottom.statistics().bytes;
}

TEST(PHOThreadHeap, ProducersGetTheirMemoryBack) {
  Bottom bottom;
  OverBottom<PHOThread<kMany, Kingsley>> heap(bottom);
  const size_t after_one = bytes_after(heap, bottom, 1);
  EXPECT_EQ(bytes_after(heap, bottom, 20), after_one);
  Bottom other;
  OverBottom<Thread<kMany, StrictSeg<PowersOfTwo<16>, Freelist>>> pure(other);
  EXPECT_GE(bytes_after(pure, other, 20), 20 * 100 * 100u);
}

TEST(PHOThreadHeap, AnyHeapWillDo) {
  Pipe<MmapHeap, PHOThread<8, Kingsley>, Ansi> kingsley;
  ThreadedMix(kingsley, 3000).run(4, 4000);
  Pipe<MmapHeap, PHOThread<3, Lea<>>, Ansi> lea;
  ThreadedMix(lea, 3000).run(4, 4000);
  Bottom bottom;
  {
    OverBottom<PHOThread<2, Lea<>>> counted(bottom);
    ThreadedMix(counted).run(5, 3000);
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u);
}

TEST(PHOThreadHeap, OneSize) {
  Bottom bottom;
  {
    using Small = OverBottom<PHOThread<kMany, Freelist>>;
    static_assert(kIsOneSize<Small> && !AligningHeap<Small>);
    Small heap(bottom);
    void* const block = heap.malloc(40);
    in_another_heap<kMany>([&] { heap.free(block); });
    EXPECT_EQ(heap.malloc(40), block);
    heap.free(block);
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u);
}

template <class H>
void expect_aligned_blocks(H& heap) {
  for (int round = 0; round < 20; ++round) {
    for (const size_t alignment : {1u, 16u, 32u, 256u, 65536u}) {
      for (const size_t bytes : {0u, 1u, 100u, 3000u, 200000u}) {
        const Block block = heap.allocate(bytes, alignment);
        ASSERT_NE(block.data, nullptr);
        EXPECT_TRUE(is_aligned(block.data, alignment));
        EXPECT_GE(block.size, bytes);
        EXPECT_EQ(heap.get_size(block.data), block.size);
        std::memset(block.data, 0xff, block.size);
        EXPECT_TRUE(heap.expand(block.data, block.size));
        in_another_heap<kMany>([&] { heap.free(block.data); });
      }
    }
  }
}

TEST(PHOThreadHeap, AlignsAndKnowsSizes) {
  Pipe<MmapHeap, PHOThread<5, Kingsley>> kingsley;
  expect_aligned_blocks(kingsley);
  Pipe<MmapHeap, PHOThread<5, Lea<>>> lea;
  expect_aligned_blocks(lea);
  for (const size_t bytes : {0u, 1u, 24u, 25u, 1000u, 100000u, 1000000u}) {
    void* const block = kingsley.malloc(bytes);
    EXPECT_TRUE(is_aligned(block));
    EXPECT_GE(kingsley.get_size(block), kingsley.good_size(bytes));
    EXPECT_GE(kingsley.good_size(bytes), bytes);
    EXPECT_TRUE(kingsley.owns(block));
    EXPECT_FALSE(lea.owns(block));
    kingsley.free(block);
  }
  EXPECT_FALSE(kingsley.owns(&kingsley));
}

TEST(PHOThreadHeap, GrowsInPlaceWhereItsHeapCan) {
  Pipe<MmapHeap, PHOThread<5, Lea<>>> heap;
  auto* const block = static_cast<char*>(heap.malloc(100));
  EXPECT_TRUE(heap.expand(block, 2000)) << "the top lies behind it";
  std::memset(block, 0xff, heap.get_size(block));
  EXPECT_GE(heap.get_size(block), 2000u);
  EXPECT_FALSE(heap.expand(block, SIZE_MAX));
  EXPECT_FALSE(heap.expand(block, kMaxRequest));
  heap.free(block);
}

TEST(PHOThreadHeap, ARefusalChangesNothing) {
  Bottom bottom;
  OverBottom<PHOThread<3, Kingsley>> heap(bottom);
  refuse_all(bottom);
  EXPECT_EQ(heap.malloc(10), nullptr);
  EXPECT_EQ(heap.allocate(10, 64).data, nullptr);
  serve_all(bottom);
  for (const size_t bytes : {SIZE_MAX, SIZE_MAX - 16, kMaxRequest, SIZE_MAX / 2}) {
    EXPECT_EQ(heap.malloc(bytes), nullptr);
    EXPECT_EQ(heap.allocate(bytes, 4096).data, nullptr);
  }
  EXPECT_EQ(heap.allocate(10, SIZE_MAX / 2 + 1).data, nullptr);
  EXPECT_EQ(heap.good_size(SIZE_MAX), 0u);
  EXPECT_NE(heap.malloc(10), nullptr);
}

TEST(PHOThreadHeap, ClearEmptiesAllHeaps) {
  Bottom bottom;
  OverBottom<PHOThread<kMany, Kingsley>> heap(bottom);
  for (int round = 0; round < 3; ++round) {
    in_another_heap<kMany>([&] { heap.malloc(1000); });
    heap.malloc(1000);
    EXPECT_EQ(bottom.statistics().blocks, 2u);
    heap.clear();
    EXPECT_EQ(bottom.statistics().blocks, 0u);
  }
}

TEST(PHOThreadHeap, SurvivesFork) {
  Pipe<MmapHeap, PHOThread<4, Kingsley>> heap;
  expect_to_survive_fork(heap);
}

// The words of blocks are not those that lower layers know.
template <class H>
concept FindsBases = requires(H& heap, void* block) {
  heap.base_of(block);
};
static_assert(!FindsBases<Pipe<MmapHeap, Size, PHOThread<4, Kingsley>>>);

constinit Pipe<MmapHeap, PHOThread<4, Kingsley>> made_at_compile_time;

}  // namespace
}  // namespace mmt::layers
