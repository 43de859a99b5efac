// Segregated fits: size classes, the map of bins, SegHeap, and ThresholdHeap and RoundUpHeap.
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/combine/bin_map.h>
#include <mmt/layers/combine/round_up_heap.h>
#include <mmt/layers/combine/seg_heap.h>
#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/combine/strict_seg_heap.h>
#include <mmt/layers/combine/tagged_sizes.h>
#include <mmt/layers/combine/threshold_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/mmap_heap.h>

#include "unit/layers/coalescing_model.h"

namespace mmt::layers {
namespace {

TEST(BinMap, AgreesWithASet) {
  BinMap<200> map;
  std::set<size_t> model;
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    const size_t c = random.below(200);
    if (random.below(2) == 0) {
      map.set(c);
      model.insert(c);
    } else {
      map.reset(c);
      model.erase(c);
    }
    ASSERT_EQ(map.test(c), model.count(c) == 1);
    const size_t first = random.below(200);
    std::vector<size_t> seen;
    EXPECT_EQ(map.search(first,
                         [&](size_t found) -> void* {
                           seen.push_back(found);
                           return nullptr;
                         }),
              nullptr);
    ASSERT_EQ(seen, std::vector<size_t>(model.lower_bound(first), model.end()));
  }
}

TEST(BinMap, StopsAtAResult) {
  BinMap<64> map;
  map.set(5);
  map.set(63);
  int result = 0;
  size_t last = 0;
  const auto use = [&](size_t c) {
    last = c;
    return &result;
  };
  EXPECT_EQ(map.search(0, use), &result);
  EXPECT_EQ(last, 5u);
  EXPECT_EQ(map.search(6, use), &result);
  EXPECT_EQ(last, 63u);
}

template <class Classes>
void expect_classes(size_t from, size_t to) {
  for (size_t bytes = from; bytes <= to; ++bytes) {
    const size_t floor = Classes::floor_of(bytes);
    ASSERT_LE(Classes::size(floor), bytes);
    ASSERT_TRUE(floor + 1 == Classes::kCount || Classes::size(floor + 1) > bytes);
    const size_t c = Classes::of(bytes);
    if (c == Classes::kCount) continue;  // larger than the last one
    ASSERT_GE(Classes::size(c), bytes);
    ASSERT_TRUE(c == 0 || Classes::size(c - 1) < bytes);
  }
}

TEST(TaggedSizes, AreClasses) {
  using Small = TaggedSizes<62>;
  static_assert(SizeClasses<Small>);
  EXPECT_EQ(Small::kLargest, 1000u);
  expect_classes<Small>(24, 1000);
  for (size_t bytes = 0; bytes < 24; ++bytes) EXPECT_EQ(Small::of(bytes), 0u);
  for (size_t bytes = 0; bytes < 1000; ++bytes) {
    EXPECT_EQ(Small::size(Small::of(bytes)), BoundaryTags::size_for(bytes));
  }
}

TEST(LeaLargeSizes, AreClasses) {
  using Large = LeaLargeSizes<1001>;
  static_assert(SizeClasses<Large>);
  expect_classes<Large>(1001, 800000);
  EXPECT_EQ(Large::floor_of(size_t{1} << 40), Large::kCount - 1);
  EXPECT_EQ(Large::size(32) - Large::size(31), 64u);
  EXPECT_EQ(Large::size(33) - Large::size(32), 512u);
  EXPECT_EQ(Large::size(49) - Large::size(48), 4096u);
}

using Segregated = Pipe<PieceSource, Size, Seg<PowersOfTwo<12>, Adapt<DlList>>>;

TEST(SegHeap, ServesFromItsBinThenFromLargerOnes) {
  Segregated heap;
  void* small = heap.malloc(50);
  void* large = heap.malloc(3000);
  heap.free(large);
  heap.free(small);
  EXPECT_EQ(heap.malloc(56), small);
  EXPECT_EQ(heap.malloc(20), large);
  void* fresh = heap.malloc(20);
  EXPECT_NE(fresh, small);
  heap.free(small);
  heap.free(large);
  heap.free(fresh);
}

TEST(SegHeap, ReturnsWhatItHoldsAndWhatIsTooLarge) {
  ASSERT_EQ(PieceSource::pieces, 0u);
  {
    Segregated heap;
    void* held = heap.malloc(100);
    void* large = heap.malloc(100000);
    heap.free(held);
    EXPECT_EQ(PieceSource::pieces, 2u);
    heap.free(large);
    EXPECT_EQ(PieceSource::pieces, 1u);
  }
  EXPECT_EQ(PieceSource::pieces, 0u);
}

TEST(SegHeap, LosesANamedBlock) {
  Segregated heap;
  void* first = heap.malloc(100);
  void* second = heap.malloc(100);
  heap.free(first);
  heap.free(second);
  heap.remove(first);
  EXPECT_EQ(heap.malloc(100), second);
  EXPECT_EQ(heap.find(1), nullptr);
  heap.free(first);
  heap.free(second);
}

TEST(SegHeap, KeepsContents) {
  Segregated heap;
  mix(heap, 1, 20000, 10000);
  EXPECT_TRUE(heap.for_each_held([](void*) {}));
}

TEST(SegHeap, SearchesItsOwnBinBySize) {
  Pipe<PieceSource, Size, Seg<LeaLargeSizes<1001>, Adapt<SizeList>>> heap;
  void* blocks[] = {heap.malloc(5000), heap.malloc(5040), heap.malloc(5020)};
  void* largest = heap.malloc(90000);
  void* small = heap.malloc(10);
  for (void* block : blocks) heap.free(block);
  heap.free(largest);
  heap.free(small);
  EXPECT_EQ(heap.malloc(5010), blocks[2]);
  EXPECT_EQ(heap.malloc(5010), blocks[1]);
  EXPECT_EQ(heap.malloc(5010), largest);
  EXPECT_EQ(heap.malloc(5000), blocks[0]);
  for (void* block : blocks) heap.free(block);
  heap.free(largest);
}

using Cached = Pipe<PieceSource, Size, Threshold<1000, MultiplesOf<8>, Freelist>>;

TEST(ThresholdHeap, KeepsSmallBlocksUntilALargeRequest) {
  const size_t before = PieceSource::pieces;
  Cached heap;
  void* blocks[5];
  for (void*& block : blocks) block = heap.malloc(100);
  for (void* block : blocks) heap.free(block);
  EXPECT_EQ(PieceSource::pieces, before + 5);
  EXPECT_EQ(heap.malloc(97), blocks[4]);
  void* medium = heap.malloc(999);
  EXPECT_EQ(PieceSource::pieces, before + 6);
  void* large = heap.malloc(1000);
  EXPECT_EQ(PieceSource::pieces, before + 3);
  heap.free(blocks[4]);
  heap.free(medium);
  heap.free(large);
  EXPECT_EQ(PieceSource::pieces, before + 1);
  EXPECT_TRUE(heap.release());
  EXPECT_FALSE(heap.release());
  EXPECT_EQ(PieceSource::pieces, before);
}

TEST(ThresholdHeap, GivesUpWhatItKeepsRatherThanToFail) {
  const size_t before = PieceSource::pieces;
  Cached heap;
  heap.free(heap.malloc(100));
  PieceSource::requests = 0;
  PieceSource::refuse_each = 2;
  PieceSource::requests = 1;
  void* block = heap.malloc(50);
  PieceSource::refuse_each = 0;
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(PieceSource::pieces, before + 1);
  heap.free(block);
}

TEST(ThresholdHeap, KeepsContents) {
  const size_t before = PieceSource::pieces;
  {
    Cached heap;
    mix(heap, 2, 20000, 1500);
  }
  EXPECT_EQ(PieceSource::pieces, before);
}

// Blocks of MmapHeap have 4080 bytes, or a page's multiple more.
template <class H>
void expect_use_again() {
  H heap;
  void* const first = heap.malloc(8);
  void* const second = heap.malloc(100);
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  heap.free(first);
  EXPECT_EQ(heap.malloc(8), first);
  heap.free(second);
  heap.free(first);
  void* const twice[] = {heap.malloc(100), heap.malloc(8)};
  EXPECT_EQ(twice[0], first);
  EXPECT_EQ(twice[1], second);
  for (void* block : twice) heap.free(block);
}

TEST(StrictSegHeap, UsesBlocksAgainThatAreLargerThanTheirClass) {
  expect_use_again<Pipe<MmapHeap, StrictSeg<PowersOfTwo<20>, Freelist>>>();
  expect_use_again<Pipe<MmapHeap, StrictSeg<MultiplesOf<300, 32>, Freelist>>>();
}

TEST(ThresholdHeap, UsesBlocksAgainThatAreLargerThanTheirClass) {
  expect_use_again<Pipe<MmapHeap, Threshold<1000000, PowersOfTwo<14>, Freelist>>>();
}

TEST(RoundUpHeap, RoundsUp) {
  Pipe<PieceSource, Size, RoundUp<PowersOfTwo<10>>> heap;
  void* block = heap.malloc(100);
  EXPECT_EQ(heap.get_size(block), 120u);
  EXPECT_EQ(heap.good_size(100), 120u);
  EXPECT_EQ(heap.good_size(100000), 100000u);
  EXPECT_TRUE(heap.expand(block, 120));
  EXPECT_FALSE(heap.expand(block, 121));
  heap.free(block);
  EXPECT_EQ(heap.malloc(kMaxRequest + 1), nullptr);
}

}  // namespace
}  // namespace mmt::layers
