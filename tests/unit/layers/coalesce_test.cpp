// Boundary tags, splitting and coalescing: each case alone, and whole compositions against a model.
#include <gtest/gtest.h>

#include <mmt/layers/combine/seg_heap.h>
#include <mmt/layers/combine/tagged_sizes.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/coalesce_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/fit/unsorted_heap.h>
#include <mmt/layers/general/kingsley_coalescing_heap.h>
#include <mmt/layers/header/coalesceable_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/buffer_heap.h>
#include <mmt/layers/source/mmap_heap.h>

#include "unit/layers/coalescing_model.h"

namespace mmt::layers {
namespace {

using Tags = BoundaryTags;

// Best fit, in as few lists as can be.
template <class Source, size_t kGrowth = 4096>
using BestFit = Pipe<Source, Coalesceable<kGrowth>, Seg<LeaLargeSizes<41>, Adapt<SizeList>>,
                     Seg<TaggedSizes<2>, Adapt<DlList>>, Coalesce>;

template <class Source>
using Sorted = Pipe<Source, Coalesceable<4096>, Seg<LeaLargeSizes<1001>, Adapt<SizeList>>,
                    Seg<TaggedSizes<62>, Adapt<DlList>>, Unsorted, Coalesce>;

template <class H>
char* take(H& heap, size_t bytes) {
  return static_cast<char*>(heap.malloc(bytes));
}

TEST(CoalesceableHeap, PutsOneWordBetweenBlocks) {
  Pipe<BreakSource, Coalesceable<>> heap;
  char* first = take(heap, 0);
  EXPECT_EQ(heap.get_size(first), 24u);
  char* second = take(heap, 24);
  EXPECT_EQ(second - first, 32);
  char* third = take(heap, 25);
  EXPECT_EQ(third - second, 32);
  EXPECT_EQ(heap.get_size(third), 40u);
  EXPECT_EQ(take(heap, 1000) - third, 48);
  EXPECT_EQ(heap.next_block(first), second);
  EXPECT_FALSE(Tags::is_free(second));
}

TEST(CoalesceableHeap, MakesPiecesLongerWhereTheyAreContiguous) {
  Pipe<BreakSource, Coalesceable<4096>> heap;
  char* last = take(heap, 1000);
  for (int i = 0; i < 100; ++i) {
    char* next = take(heap, 1000);
    ASSERT_EQ(next - last, 1008);
    last = next;
  }
  EXPECT_EQ(heap.last_piece()->before, nullptr);
}

TEST(CoalesceableHeap, TakesBackTheLastBlock) {
  Pipe<PieceSource, Coalesceable<>> heap;
  char* first = take(heap, 100);
  char* last = take(heap, 100);
  heap.free(last);
  EXPECT_EQ(heap.malloc(1000), last);
  EXPECT_TRUE(heap.expand(last, 5000));
  EXPECT_GE(heap.get_size(last), 5000u);
  EXPECT_FALSE(heap.expand(first, 5000));
  EXPECT_FALSE(heap.expand(last, size_t{1} << 40));
}

TEST(CoalesceableHeap, ReturnsItsPieces) {
  const size_t before = PieceSource::pieces;
  {
    Pipe<PieceSource, Coalesceable<4096>> heap;
    for (int i = 0; i < 100; ++i) ASSERT_NE(heap.malloc(1000), nullptr);
    EXPECT_GT(PieceSource::pieces, before + 10);
    heap.clear();
    EXPECT_EQ(PieceSource::pieces, before);
    heap.clear();
    ASSERT_NE(heap.malloc(1000), nullptr);
  }
  EXPECT_EQ(PieceSource::pieces, before);
}

TEST(CoalesceableHeap, RefusesWhatItCannotHave) {
  Pipe<BufferHeap<8192>, Coalesceable<>> heap;
  EXPECT_EQ(heap.malloc(8192), nullptr);
  EXPECT_EQ(heap.malloc(SIZE_MAX), nullptr);
  EXPECT_EQ(heap.malloc(kMaxRequest), nullptr);
  EXPECT_EQ(heap.good_size(SIZE_MAX), 0u);
  void* block = heap.malloc(8000);
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(heap.owns(block));
  EXPECT_FALSE(heap.owns(&block));
}

TEST(CoalesceHeap, SplitsAndMergesInEachOrder) {
  const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (const auto& order : orders) {
    BestFit<PieceSource> heap;
    char* blocks[] = {take(heap, 200), take(heap, 200), take(heap, 200)};
    char* guard = take(heap, 200);
    for (const int i : order) {
      heap.free(blocks[i]);
      ASSERT_EQ(take_census(heap).fault, nullptr);
    }
    EXPECT_EQ(take_census(heap).free_blocks, 1u);
    EXPECT_EQ(heap.malloc(3 * 208 - 8), blocks[0]);
    EXPECT_FALSE(Tags::is_previous_free(guard));
    EXPECT_EQ(take_census(heap).free_blocks, 0u);
  }
}

TEST(CoalesceHeap, LeavesNoRestThatIsTooSmall) {
  BestFit<PieceSource> heap;
  char* block = take(heap, 200);
  static_cast<void>(take(heap, 200));
  heap.free(block);
  EXPECT_EQ(heap.malloc(190), block);
  EXPECT_EQ(heap.get_size(block), 200u);
  heap.free(block);
  EXPECT_EQ(heap.malloc(168), block);
  EXPECT_EQ(heap.get_size(block), 168u);
  EXPECT_EQ(take_census(heap).free_bytes, 24u);
}

TEST(CoalesceHeap, MergesWithTheTop) {
  BestFit<PieceSource> heap;
  char* first = take(heap, 100);
  char* second = take(heap, 100);
  heap.free(first);
  heap.free(second);
  EXPECT_EQ(heap.malloc(1000), first);
  EXPECT_EQ(take_census(heap).free_blocks, 0u);
}

TEST(CoalesceHeap, ExpandsIntoAFreeNeighbour) {
  BestFit<PieceSource> heap;
  char* block = take(heap, 100);
  char* next = take(heap, 200);
  char* guard = take(heap, 100);
  EXPECT_FALSE(heap.expand(block, 150));
  heap.free(next);
  EXPECT_FALSE(heap.expand(block, 400));
  EXPECT_TRUE(heap.expand(block, 150));
  EXPECT_EQ(heap.get_size(block), 152u);
  EXPECT_TRUE(heap.expand(block, 310));
  EXPECT_EQ(heap.get_size(block), 312u);
  EXPECT_FALSE(Tags::is_previous_free(guard));
  EXPECT_FALSE(heap.expand(block, SIZE_MAX));
  EXPECT_EQ(take_census(heap).fault, nullptr);
}

TEST(CoalesceHeap, ExpandsIntoMemoryBehindThePiece) {
  BestFit<BreakSource> heap;
  char* block = take(heap, 100);
  EXPECT_TRUE(heap.expand(block, 100000));
  EXPECT_EQ(take_census(heap).used_bytes, heap.get_size(block));
  heap.move_as_stranger(64);
  EXPECT_FALSE(heap.expand(block, 200000));
  // What was the top is held now, as is what follows the stranger.
  EXPECT_EQ(take_census(heap).fault, nullptr);
  EXPECT_EQ(take_census(heap).held_blocks, 1u);
}

TEST(CoalesceHeap, ReusesARetiredTop) {
  BestFit<PieceSource, 4096> heap;
  char* first = take(heap, 1000);
  char* large = take(heap, 50000);
  EXPECT_EQ(take_census(heap).held_blocks, 1u);
  EXPECT_EQ(heap.malloc(2000), first + 1008);
  heap.free(large);
  EXPECT_EQ(take_census(heap).fault, nullptr);
}

TEST(CoalesceHeap, AlignsAndFreesWhatIsBeforeAndBehind) {
  BestFit<PieceSource> heap;
  for (size_t alignment = 1; alignment <= size_t{1} << 16; alignment *= 2) {
    const Block block = heap.allocate(100, alignment);
    ASSERT_NE(block.data, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.data) % alignment, 0u);
    EXPECT_EQ(block.size, heap.get_size(block.data));
    EXPECT_LT(block.size, 100u + 48);
    EXPECT_EQ(take_census(heap).fault, nullptr);
    EXPECT_EQ(take_census(heap).used_bytes, block.size);
    heap.free(block.data);
  }
  EXPECT_EQ(heap.allocate(SIZE_MAX, 64).data, nullptr);
  EXPECT_EQ(heap.allocate(64, size_t{1} << 63).data, nullptr);
}

TEST(CoalesceHeap, GivesBackUnusedPieces) {
  const size_t before = PieceSource::pieces;
  BestFit<PieceSource, 4096> heap;
  char* blocks[10];
  for (char*& block : blocks) block = take(heap, 3000);
  EXPECT_FALSE(heap.trim());
  const size_t most = PieceSource::pieces;
  ASSERT_GT(most, before + 2);
  for (char* block : blocks) heap.free(block);
  EXPECT_TRUE(heap.trim());
  EXPECT_EQ(PieceSource::pieces, before);
  EXPECT_EQ(take_census(heap).fault, nullptr);
  EXPECT_NE(heap.malloc(3000), nullptr);
}

TEST(CoalesceHeap, GivesBackTheTop) {
  BestFit<BreakSource> heap;
  char* block = take(heap, 100);
  char* large = take(heap, 1000000);
  const size_t most = heap.size();
  heap.free(large);
  EXPECT_TRUE(heap.trim());
  EXPECT_LT(heap.size(), most - 990000);
  EXPECT_FALSE(heap.trim());
  EXPECT_EQ(take_census(heap).fault, nullptr);
  EXPECT_EQ(heap.malloc(1000000), large);
  heap.free(block);
}

TEST(CoalesceHeap, ChangesNothingWhenItIsRefused) {
  BestFit<BreakSource> heap;
  char* block = take(heap, 3000);
  heap.set_limit(heap.size());
  EXPECT_EQ(heap.malloc(100000), nullptr);
  EXPECT_EQ(heap.malloc(SIZE_MAX), nullptr);
  EXPECT_EQ(heap.malloc(kMaxRequest), nullptr);
  EXPECT_FALSE(heap.expand(block, 100000));
  EXPECT_EQ(take_census(heap).used_blocks, 1u);
  EXPECT_EQ(take_census(heap).fault, nullptr);
  EXPECT_NE(heap.malloc(100), nullptr);
}

TEST(CoalesceHeap, WorksWhereNobodyHoldsSomeBlocks) {
  // Blocks above the largest bin are held by nobody until a neighbour is freed.
  Pipe<PieceSource, Coalesceable<65536>, Seg<TaggedSizes<8>, Adapt<DlList>>, Coalesce> heap;
  mix(heap, 4, 20000, 2000);
}

TEST(CoalesceCensus, SeesWhatIsWrong) {
  BestFit<PieceSource> heap;
  char* first = take(heap, 100);
  char* second = take(heap, 100);
  char* third = take(heap, 100);
  heap.free(second);
  ASSERT_EQ(take_census(heap).fault, nullptr);

  Tags::foot_before(third) += 16;
  EXPECT_STREQ(take_census(heap).fault, "foot");
  Tags::foot_before(third) -= 16;

  Tags::word_of(third) &= ~Tags::kPreviousFree;
  EXPECT_STREQ(take_census(heap).fault, "mark of the block before");
  Tags::word_of(third) |= Tags::kPreviousFree;

  Tags::word_of(first) += 1 << 20;
  EXPECT_STREQ(take_census(heap).fault, "size beyond the piece");
  Tags::word_of(first) -= 1 << 20;

  SizeList::remove(second);
  EXPECT_STREQ(take_census(heap).fault, "free blocks that are not held");
}

template <class H>
class CoalescingHeaps : public ::testing::Test {};

using Compositions =
    ::testing::Types<BestFit<PieceSource>, BestFit<BreakSource>, BestFit<MmapHeap>,
                     Sorted<PieceSource>, Sorted<BreakSource>, KingsleyCoalescingHeap<PieceSource>,
                     KingsleyCoalescingHeap<BreakSource>>;
TYPED_TEST_SUITE(CoalescingHeaps, Compositions);

TYPED_TEST(CoalescingHeaps, AgreeWithTheModel) {
  TypeParam heap;
  CoalescingModel<TypeParam> model(heap, 11);
  model.run(20000);
  model.finish();
}

TYPED_TEST(CoalescingHeaps, AgreeWithTheModelWhenTheSourceIsUnreliable) {
  PieceSource::refuse_each = 3;
  BreakSource::stranger_each = 3;
  {
    TypeParam heap;
    CoalescingModel<TypeParam> model(heap, 12);
    model.run(20000);
    model.finish();
  }
  PieceSource::refuse_each = 0;
  BreakSource::stranger_each = 0;
}

TYPED_TEST(CoalescingHeaps, StartAgainWhenCleared) {
  TypeParam heap;
  for (int i = 0; i < 3; ++i) {
    CoalescingModel<TypeParam> model(heap, 13);
    model.run(2000);
    heap.clear();
    const CoalesceCensus census = take_census(heap);
    EXPECT_EQ(census.fault, nullptr);
    EXPECT_EQ(census.used_blocks + census.free_blocks, 0u);
  }
}

TEST(KingsleyCoalescingHeap, RoundsUpAsKingsley) {
  KingsleyCoalescingHeap<BreakSource> heap;
  for (const size_t bytes : {1u, 24u, 25u, 56u, 57u, 120u, 121u, 5000u}) {
    void* block = heap.malloc(bytes);
    const size_t power = heap.get_size(block) + 8;
    EXPECT_EQ(power & (power - 1), 0u) << bytes;
  }
}

}  // namespace
}  // namespace mmt::layers
