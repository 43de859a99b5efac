// DebugHeap as a layer: it passes on what works, and finds nothing where nothing is wrong.
#include <gtest/gtest.h>

#include <mmt/layers/combine/strict_seg_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/observe/debug_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/buffer_heap.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/source/mapped_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/source/sbrk_heap.h>

#include "unit/layers/debug_faults.h"
#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

TEST_F(DebugHeapTest, PassesNullOn) {
  Checked<BufferHeap<4096>> heap;
  void* block = heap.malloc(3000);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(heap.malloc(3000), nullptr);
  EXPECT_EQ(heap.malloc(SIZE_MAX), nullptr);
  EXPECT_EQ(heap.malloc(kMaxRequest), nullptr);
  EXPECT_EQ(heap.get_size(block), 3000u);
  EXPECT_EQ(heap.check_all(), 0u);
  heap.free(block);
  EXPECT_TRUE(faults.empty());
}

TEST_F(DebugHeapTest, ChecksAlignedBlocks) {
  CheckedMmap heap;
  for (size_t alignment = 1; alignment <= size_t{1} << 21; alignment *= 2) {
    const Block block = heap.allocate(100, alignment);
    ASSERT_NE(block.data, nullptr);
    EXPECT_EQ(block.size, 100u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.data) % alignment, 0u);
    write_at(block.data, -1);
    write_at(block.data, 100);
    heap.free(block.data);
    ASSERT_EQ(faults.size(), 2u);
    EXPECT_EQ(faults[0].kind, FaultKind::kUnderrun);
    EXPECT_EQ(faults[1].kind, FaultKind::kOverrun);
    faults.clear();
  }
  EXPECT_EQ(heap.allocate(SIZE_MAX, 64).data, nullptr);
  EXPECT_EQ(heap.allocate(64, size_t{1} << 63).data, nullptr);
}

TEST_F(DebugHeapTest, MovesTheGuardWhenABlockGrows) {
  Checked<BufferHeap<4096>> heap;
  auto* block = static_cast<char*>(heap.malloc(40));
  EXPECT_TRUE(heap.expand(block, 60));
  EXPECT_EQ(heap.get_size(block), 60u);
  EXPECT_TRUE(heap.expand(block, 10));
  EXPECT_EQ(heap.get_size(block), 60u);
  for (int i = 0; i < 60; ++i) write_at(block, i);
  EXPECT_EQ(heap.check_all(), 0u);
  write_at(block, 60);
  EXPECT_FALSE(heap.expand(block, 5000));
  EXPECT_EQ(only_fault().kind, FaultKind::kOverrun);
  EXPECT_FALSE(heap.expand(block, SIZE_MAX));
  EXPECT_FALSE(heap.expand(block + 1, 1));
  heap.free(block);
  EXPECT_FALSE(heap.expand(block, 1));
  EXPECT_TRUE(faults.empty());
}

TEST_F(DebugHeapTest, ClearEndsAllBlocks) {
  Checked<BufferHeap<4096>> heap;
  void* block = heap.malloc(40);
  heap.free(heap.malloc(40));
  write_at(block, 40);
  heap.clear();
  EXPECT_EQ(only_fault().kind, FaultKind::kOverrun);
  EXPECT_EQ(heap.report_leaks(), 0u);
  EXPECT_EQ(heap.get_size(block), 0u);
  heap.clear();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_NE(heap.malloc(1500), nullptr);
    heap.clear();
  }
  EXPECT_TRUE(faults.empty());
}

TEST_F(DebugHeapTest, TellsSizesAndOwnership) {
  Checked<MappedHeap> heap;
  void* block = heap.malloc(33);
  EXPECT_EQ(heap.get_size(block), 33u);
  EXPECT_EQ(heap.good_size(33), 33u);
  EXPECT_EQ(heap.good_size(SIZE_MAX), 0u);
  EXPECT_TRUE(heap.owns(block));
  EXPECT_FALSE(heap.owns(&heap));
  heap.free(block);
  EXPECT_EQ(heap.get_size(block), 0u);
}

template <class H>
class DebugMix : public DebugHeapTest {};
using Mixed = testing::Types<
    Checked<MallocHeap>, Checked<MmapHeap>, Checked<KingsleyHeap<MmapHeap>>, Checked<MallocHeap, 0>,
    Pipe<MmapHeap, Chunk<65536>, Debug<Collect>, Size, StrictSeg<PowersOfTwo<30>, Freelist>>,
    Pipe<MmapHeap, Debug<Collect>, Chunk<65536, 8>, Debug<Collect, 100>, Size, Debug<Collect>,
         StrictSeg<PowersOfTwo<30>, Freelist>, Debug<Collect>>>;
TYPED_TEST_SUITE(DebugMix, Mixed);

// Between any two layers it finds nothing where nothing is wrong, and all comes back.
TYPED_TEST(DebugMix, ReportsNothingOfAGoodProgram) {
  {
    TypeParam heap;
    mix(heap, 5, 3000, 3000);
    EXPECT_EQ(heap.check_all(), 0u);
  }
  EXPECT_TRUE(faults.empty());
}

// Ready before any constructor runs, as a process's malloc must be.
constinit CheckedMmap made_by_the_compiler;
TEST_F(DebugHeapTest, NeedsNoConstructor) {
  made_by_the_compiler.free(made_by_the_compiler.malloc(10));
  EXPECT_TRUE(faults.empty());
}

// What lies below offers these for blocks of its own.
using Hidden = Pipe<MmapHeap, Size, Debug<Collect>>;
template <class H>
concept HasRemap = requires(H& heap, void* block) {
  heap.remap(block, 1);
};
template <class H>
concept HasWords = requires(H& heap, void* block) {
  heap.base_of(block);
};
static_assert(!kHasSharedSizes<CheckedMmap> && kHasSharedSizes<MmapHeap>);
static_assert(!HasRemap<CheckedMmap> && !HasWords<Hidden>);
static_assert(!AligningHeap<Pipe<MmapHeap, Chunk<4096>, Debug<>>>);
static_assert(kIsOneSize<Pipe<MallocHeap, Freelist, Debug<>>>);
static_assert(!kIsContiguous<Pipe<SbrkHeap, Debug<>>>);
static_assert(Pipe<MmapHeap, Chunk<4096, 8>, Debug<>>::kSkew == 8);

}  // namespace
}  // namespace mmt::layers
