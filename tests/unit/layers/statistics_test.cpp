// StatisticsHeap counts what happens, by size where sizes are known.
#include <gtest/gtest.h>

#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/source/buffer_heap.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/source/null_heap.h>

#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

using Sized = Pipe<MmapHeap, Chunk<65536>, Size, Statistics>;

TEST(StatisticsHeap, CountsBlocksAndBytes) {
  Sized heap;
  void* a = heap.malloc(100);
  void* b = heap.malloc(50);
  EXPECT_EQ(heap.statistics().blocks, 2u);
  EXPECT_EQ(heap.statistics().bytes, 150u);
  heap.free(a);
  void* c = heap.malloc(30);
  const HeapStatistics& counts = heap.statistics();
  EXPECT_EQ(counts.mallocs, 3u);
  EXPECT_EQ(counts.frees, 1u);
  EXPECT_EQ(counts.failures, 0u);
  EXPECT_EQ(counts.blocks, 2u);
  EXPECT_EQ(counts.bytes, 80u);
  EXPECT_EQ(counts.peak_blocks, 2u);
  EXPECT_EQ(counts.peak_bytes, 150u);
  EXPECT_EQ(counts.total_bytes, 180u);
  heap.restart_peaks();
  EXPECT_EQ(counts.peak_bytes, 80u);
  heap.free(b);
  heap.free(c);
  EXPECT_EQ(counts.blocks, 0u);
  EXPECT_EQ(counts.bytes, 0u);
}

TEST(StatisticsHeap, CountsWhatBlocksTakeRatherThanWhatWasAsked) {
  Pipe<MmapHeap, Statistics> heap;
  void* block = heap.malloc(1);
  EXPECT_EQ(heap.statistics().bytes, heap.get_size(block));
  EXPECT_GT(heap.statistics().bytes, 4000u);
  heap.free(block);
  EXPECT_EQ(heap.statistics().bytes, 0u);
}

TEST(StatisticsHeap, CountsRefusals) {
  Pipe<NullHeap, Statistics> heap;
  EXPECT_EQ(heap.malloc(10), nullptr);
  EXPECT_EQ(heap.statistics().failures, 1u);
  EXPECT_EQ(heap.statistics().mallocs, 0u);
  EXPECT_EQ(heap.statistics().bytes, 0u);
  Pipe<MallocHeap, Statistics> aligning;
  EXPECT_EQ(aligning.allocate(SIZE_MAX, 64).data, nullptr);
  EXPECT_EQ(aligning.statistics().failures, 1u);
}

TEST(StatisticsHeap, CountsAlignedAndGrownBlocks) {
  Sized heap;
  const Block block = heap.allocate(100, 256);
  EXPECT_EQ(heap.statistics().bytes, heap.get_size(block.data));
  heap.free(block.data);
  EXPECT_EQ(heap.statistics().bytes, 0u);

  Pipe<BufferHeap<1000>, Size, Statistics> growing;
  void* last = growing.malloc(10);
  EXPECT_TRUE(growing.expand(last, 300));
  EXPECT_FALSE(growing.expand(last, 3000));
  EXPECT_EQ(growing.statistics().bytes, 300u);
  EXPECT_EQ(growing.statistics().peak_bytes, 300u);
  EXPECT_EQ(growing.statistics().grown, 1u);
  growing.free(last);
  EXPECT_EQ(growing.statistics().bytes, 0u);
}

TEST(StatisticsHeap, ClearLeavesNothingInUse) {
  Sized heap;
  heap.malloc(10);
  heap.clear();
  EXPECT_EQ(heap.statistics().blocks, 0u);
  EXPECT_EQ(heap.statistics().bytes, 0u);
  EXPECT_EQ(heap.statistics().mallocs, 1u);
}

// Sources that take nothing back: what was asked for stays in use.
TEST(StatisticsHeap, CountsRequestsWhereSizesAreUnknown) {
  Pipe<MmapHeap, Chunk<4096>, Statistics> heap;
  heap.free(heap.malloc(100));
  void* block = heap.malloc(200);
  EXPECT_EQ(heap.statistics().bytes, 300u);
  EXPECT_EQ(heap.statistics().blocks, 1u);
  heap.free(block);
  EXPECT_EQ(heap.statistics().blocks, 0u);
}

// Has no sizes, and need not, as it is told them.
struct ToldSizes : BufferHeap<1000> {
  using BufferHeap::free;
  void free(void* block, size_t) { BufferHeap::free(block); }
};

TEST(StatisticsHeap, CountsTheSizesItIsTold) {
  Pipe<ToldSizes, Statistics> heap;
  heap.malloc(30);
  heap.free(heap.malloc(100), 100);
  EXPECT_EQ(heap.statistics().bytes, 30u);
  EXPECT_EQ(heap.statistics().blocks, 1u);
}

TEST(StatisticsHeap, TellsApartTheHeapAndItsSource) {
  using Below = Pipe<MmapHeap, Statistics>;
  Pipe<KingsleyHeap<Below>, Statistics> heap;
  mix(heap, 3, 5000, 2000);
  const HeapStatistics& above = heap.statistics();
  const HeapStatistics& below = heap.Below::statistics();
  EXPECT_EQ(above.blocks, 0u);
  EXPECT_EQ(above.bytes, 0u);
  EXPECT_EQ(above.mallocs, above.frees);
  EXPECT_LT(below.mallocs, above.mallocs);
  EXPECT_GE(below.bytes, above.peak_bytes);
  EXPECT_EQ(below.frees, 0u);
}

static_assert(!AligningHeap<Pipe<MmapHeap, Chunk<4096>, Statistics>>);
static_assert(!ResizableHeap<Pipe<MallocHeap, Statistics>>);
static_assert(!ClearableHeap<Pipe<MallocHeap, Statistics>>);
static_assert(kIsContiguous<Pipe<SbrkHeap, Statistics>>);

}  // namespace
}  // namespace mmt::layers
