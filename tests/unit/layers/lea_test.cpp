// Lea's allocator: which block it takes, when it merges, maps and trims; and against a model.
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/general/lea_heap.h>
#include <mmt/layers/header/size_heap.h>

#include "unit/layers/coalescing_model.h"

namespace mmt::layers {
namespace {

using Heap = LeaHeap<BreakSource>;
constexpr size_t kMapped = size_t{128} << 10;

using SizedPieces = Pipe<PieceSource, Size>;

char* take(Heap& heap, size_t bytes) { return static_cast<char*>(heap.malloc(bytes)); }

// Blocks of those sizes, with one in use after each.
std::vector<char*> take_apart(Heap& heap, const std::vector<size_t>& sizes) {
  std::vector<char*> blocks;
  for (const size_t size : sizes) {
    blocks.push_back(take(heap, size));
    static_cast<void>(take(heap, 500));
  }
  return blocks;
}

// Sorts what is in the unsorted bin into the others: nothing there is large enough.
void sort(Heap& heap) {
  void* block = heap.malloc(100000);
  ASSERT_NE(block, nullptr);
  ASSERT_EQ(take_census(heap).fault, nullptr);
}

TEST(LeaHeap, IsMadeAtCompileTime) {
  struct Storage {
    LeaHeap<> heap;
  };
  static constinit Storage storage;
  void* block = storage.heap.malloc(1);
  ASSERT_NE(block, nullptr);
  storage.heap.free(block);
}

TEST(LeaHeap, FastBinsAreLastInFirstOut) {
  Heap heap;
  for (const size_t size : {1u, 24u, 25u, 120u}) {
    char* first = take(heap, size);
    char* second = take(heap, size);
    heap.free(first);
    heap.free(second);
    EXPECT_EQ(heap.malloc(size), second);
    EXPECT_EQ(heap.malloc(size), first);
  }
}

TEST(LeaHeap, FastBlocksAreNotMergedBeforeALargeRequest) {
  Heap heap;
  char* first = take(heap, 104);
  char* second = take(heap, 104);
  static_cast<void>(take(heap, 500));
  heap.free(first);
  heap.free(second);
  EXPECT_NE(heap.malloc(200), first);
  EXPECT_EQ(take_census(heap).free_blocks, 0u);
  static_cast<void>(heap.malloc(1001));
  EXPECT_EQ(heap.malloc(200), first);
}

TEST(LeaHeap, FastBlocksAreNotMergedByARequestThatIsNotLarge) {
  Heap heap;
  heap.free(heap.malloc(104));
  static_cast<void>(heap.malloc(1000));
  EXPECT_EQ(take_census(heap).free_blocks, 0u);
}

TEST(LeaHeap, FastBlocksAreMergedBeforeMemoryIsTaken) {
  Heap heap;
  std::vector<char*> blocks;
  for (int i = 0; i < 50; ++i) blocks.push_back(take(heap, 104));
  // Uses up the top by requests that are not large.
  const size_t before = heap.size();
  while (heap.top_bytes() > 1000) static_cast<void>(take(heap, 800));
  static_cast<void>(take(heap, heap.top_bytes() - 100));
  ASSERT_EQ(heap.size(), before);
  for (char* block : blocks) heap.free(block);
  EXPECT_EQ(heap.malloc(1000), blocks[0]);
  EXPECT_EQ(heap.size(), before);
}

TEST(LeaHeap, SmallBinsAreFirstInFirstOut) {
  Heap heap;
  const auto blocks = take_apart(heap, {200, 200, 200});
  for (char* block : blocks) heap.free(block);
  sort(heap);
  for (char* block : blocks) EXPECT_EQ(heap.malloc(200), block);
}

TEST(LeaHeap, TakesTheSmallestThatIsLargeEnough) {
  Heap heap;
  const auto blocks = take_apart(heap, {5000, 4000, 4500, 30000, 300});
  for (char* block : blocks) heap.free(block);
  sort(heap);
  EXPECT_EQ(heap.malloc(250), blocks[4]);
  EXPECT_EQ(heap.malloc(3900), blocks[1]);
  EXPECT_EQ(heap.malloc(4600), blocks[0]);
  EXPECT_EQ(heap.malloc(6000), blocks[3]);
}

TEST(LeaHeap, TakesTheOldestOfOneSize) {
  Heap heap;
  const auto blocks = take_apart(heap, {4000, 4000, 4000});
  for (const size_t i : {2u, 0u, 1u}) heap.free(blocks[i]);
  sort(heap);
  for (const size_t i : {2u, 0u, 1u}) EXPECT_EQ(heap.malloc(4000), blocks[i]);
}

TEST(LeaHeap, TakesAnExactFitOfWhatWasFreedLast) {
  Heap heap;
  const auto blocks = take_apart(heap, {3000, 3000, 2000});
  heap.free(blocks[0]);
  sort(heap);
  heap.free(blocks[1]);
  heap.free(blocks[2]);
  // Not the one that has been in the bin of this size for longer.
  EXPECT_EQ(heap.malloc(3000), blocks[1]);
  EXPECT_EQ(heap.malloc(3000), blocks[0]);
}

TEST(LeaHeap, SplitsTheLastRemainderForSmallRequests) {
  Heap heap;
  const auto blocks = take_apart(heap, {5000, 300, 600});
  heap.free(blocks[1]);
  sort(heap);
  heap.free(blocks[0]);
  char* first = take(heap, 400);
  EXPECT_EQ(first, blocks[0]);
  // Not the best fit, which is in its bin.
  char* second = take(heap, 200);
  EXPECT_EQ(second, first + 416);
  // Something else was freed since: the best fit.
  heap.free(blocks[2]);
  EXPECT_EQ(heap.malloc(200), blocks[1]);
  EXPECT_EQ(take_census(heap).fault, nullptr);
}

TEST(LeaHeap, MapsLargeBlocks) {
  Heap heap;
  char* block = take(heap, kMapped);
  EXPECT_EQ(heap.usage().mapped_blocks, 1u);
  EXPECT_GE(heap.usage().mapped_bytes, kMapped);
  EXPECT_GE(heap.get_size(block), kMapped);
  EXPECT_TRUE(heap.owns(block));
  block[heap.get_size(block) - 1] = 1;
  heap.free(block);
  EXPECT_EQ(heap.usage().mapped_blocks, 0u);
  EXPECT_FALSE(heap.owns(block));
  static_cast<void>(heap.malloc(kMapped - 1));
  EXPECT_EQ(heap.usage().mapped_blocks, 0u);
}

TEST(LeaHeap, UsesItsOwnMemoryForLargeBlocksFirst) {
  Heap heap;
  char* low = take(heap, kMapped - 100);
  char* middle = take(heap, kMapped - 100);
  static_cast<void>(take(heap, 500));
  heap.free(low);
  heap.free(middle);
  EXPECT_EQ(heap.malloc(kMapped), low);
  EXPECT_EQ(heap.usage().mapped_blocks, 0u);
}

TEST(LeaHeap, MovesThePagesOfLargeBlocks) {
  Heap heap;
  char* block = take(heap, kMapped);
  block[kMapped - 1] = 'x';
  for (int i = 0; i < 5; ++i) {
    char* moved = static_cast<char*>(heap.remap(block, heap.get_size(block) * 4));
    ASSERT_NE(moved, nullptr);
    EXPECT_EQ(moved[kMapped - 1], 'x');
    EXPECT_TRUE(heap.owns(moved));
    EXPECT_EQ(heap.usage().mapped_bytes, heap.get_size(moved));
    block = moved;
  }
  char* small = take(heap, 100);
  EXPECT_EQ(heap.remap(small, 200), nullptr);
  EXPECT_EQ(heap.remap(block, SIZE_MAX), nullptr);
  EXPECT_TRUE(heap.expand(block, heap.get_size(block)));
  EXPECT_FALSE(heap.expand(block, heap.get_size(block) + 1));
  heap.free(block);
  EXPECT_EQ(heap.usage().mapped_bytes, 0u);
}

TEST(LeaHeap, AlignsLargeBlocks) {
  Heap heap;
  for (size_t alignment = 32; alignment <= size_t{1} << 21; alignment *= 4) {
    const Block block = heap.allocate(kMapped, alignment);
    ASSERT_NE(block.data, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.data) % alignment, 0u);
    EXPECT_EQ(block.size, heap.get_size(block.data));
    EXPECT_TRUE(heap.owns(block.data));
    static_cast<char*>(block.data)[block.size - 1] = 1;
    heap.free(block.data);
  }
  EXPECT_EQ(heap.usage().mapped_blocks, 0u);
}

TEST(LeaHeap, RaisesTheThresholdIfItMay) {
  Pipe<BreakSource, Lea<kMapped, MmapHeap, size_t{32} << 20>> heap;
  void* block = heap.malloc(kMapped + 5000);
  EXPECT_EQ(heap.usage().mapped_blocks, 1u);
  heap.free(block);
  block = heap.malloc(kMapped + 5000);
  EXPECT_EQ(heap.usage().mapped_blocks, 0u);
  void* larger = heap.malloc(2 * kMapped);
  EXPECT_EQ(heap.usage().mapped_blocks, 1u);
  heap.free(larger);
  heap.free(block);
}

TEST(LeaHeap, KeepsTheThreshold) {
  Heap heap;
  for (int i = 0; i < 3; ++i) {
    void* block = heap.malloc(kMapped);
    EXPECT_EQ(heap.usage().mapped_blocks, 1u);
    heap.free(block);
  }
}

TEST(LeaHeap, TrimsALongTop) {
  Heap heap;
  std::vector<char*> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(take(heap, 10000));
  const size_t most = heap.size();
  while (!blocks.empty()) {
    heap.free(blocks.back());
    blocks.pop_back();
  }
  EXPECT_LT(heap.size(), most / 3);
  EXPECT_EQ(take_census(heap).fault, nullptr);
  const size_t trimmed = heap.size();
  EXPECT_TRUE(heap.trim());
  EXPECT_LT(heap.size(), trimmed);
  EXPECT_FALSE(heap.trim());
}

TEST(LeaHeap, KeepsALongTopIfItIsTold) {
  Heap heap;
  heap.set_trim_threshold(size_t{1} << 30);
  std::vector<char*> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(take(heap, 10000));
  const size_t most = heap.size();
  for (char* block : blocks) heap.free(block);
  EXPECT_EQ(heap.size(), most);
}

TEST(LeaHeap, MapsNoLargeBlocksIfItIsTold) {
  LeaHeap<> heap;
  heap.use_large_heap(false);
  void* const block = heap.malloc(size_t{1} << 20);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(heap.usage().mapped_blocks, 0u);
  heap.free(block);
  EXPECT_EQ(heap.malloc(size_t{1} << 20), block);
  heap.use_large_heap(true);
  static_cast<void>(heap.malloc(size_t{1} << 21));
  EXPECT_EQ(heap.usage().mapped_blocks, 1u);
}

TEST(LeaHeap, TellsWhatIsFree) {
  Heap heap;
  char* block = take(heap, 1000);
  char* fast = take(heap, 100);
  static_cast<void>(take(heap, 1000));
  const Usage before = heap.usage();
  EXPECT_EQ(before.system_bytes, heap.size());
  EXPECT_EQ(before.free_blocks, 1u);
  EXPECT_EQ(before.free_bytes, heap.top_bytes() + 8);
  heap.free(block);
  EXPECT_EQ(heap.usage().free_bytes, before.free_bytes + 1000 + 8);
  heap.free(fast);
  EXPECT_EQ(heap.usage().free_bytes, before.free_bytes + 1000 + 8 + 104 + 8);
  EXPECT_EQ(heap.usage().free_blocks, 3u);
  EXPECT_TRUE(heap.release());  // which merges the two
  EXPECT_EQ(heap.usage().free_blocks, 2u);
  EXPECT_EQ(heap.usage().free_bytes, before.free_bytes + 1000 + 8 + 104 + 8);
}

TEST(LeaHeap, RefusesAndGoesOn) {
  Heap heap;
  char* block = take(heap, 1000);
  static_cast<void>(take(heap, heap.top_bytes() - 1000));
  heap.set_limit(heap.size());
  EXPECT_EQ(heap.malloc(SIZE_MAX), nullptr);
  EXPECT_EQ(heap.malloc(kMaxRequest), nullptr);
  EXPECT_EQ(heap.malloc(kMapped - 1), nullptr);
  EXPECT_EQ(heap.allocate(SIZE_MAX - 10, 64).data, nullptr);
  EXPECT_EQ(take_census(heap).used_blocks, 2u);
  EXPECT_EQ(take_census(heap).fault, nullptr);
  EXPECT_NE(heap.malloc(500), nullptr);
  heap.free(block);
  EXPECT_EQ(heap.malloc(900), block);
}

TEST(LeaHeap, ReturnsEverything) {
  const size_t before = PieceSource::pieces;
  {
    Pipe<PieceSource, Lea<kMapped, SizedPieces>> heap;
    for (size_t size = 1; size < 1000000; size = size * 3 / 2 + 1) {
      void* freed = heap.malloc(size);
      ASSERT_NE(heap.malloc(size), nullptr);
      heap.free(freed);
    }
    EXPECT_GT(PieceSource::pieces, before + 5);
    heap.clear();
    EXPECT_EQ(PieceSource::pieces, before);
    EXPECT_EQ(heap.usage().system_bytes + heap.usage().mapped_bytes, 0u);
    ASSERT_NE(heap.malloc(10), nullptr);
    ASSERT_NE(heap.malloc(kMapped), nullptr);
  }
  EXPECT_EQ(PieceSource::pieces, before);
}

template <class H>
class LeaHeaps : public ::testing::Test {};

using Compositions = ::testing::Types<LeaHeap<BreakSource>, LeaHeap<PieceSource>, LeaHeap<MmapHeap>,
                                      Pipe<BreakSource, Lea<10000, MmapHeap, 60000>>>;
TYPED_TEST_SUITE(LeaHeaps, Compositions);

TYPED_TEST(LeaHeaps, AgreeWithTheModel) {
  TypeParam heap;
  CoalescingModel<TypeParam> model(heap, 21);
  model.run(20000);
  model.finish();
}

TYPED_TEST(LeaHeaps, AgreeWithTheModelWhenTheSourceIsUnreliable) {
  PieceSource::refuse_each = 3;
  BreakSource::stranger_each = 3;
  {
    TypeParam heap;
    CoalescingModel<TypeParam> model(heap, 22);
    model.run(20000);
    model.finish();
  }
  PieceSource::refuse_each = 0;
  BreakSource::stranger_each = 0;
}

}  // namespace
}  // namespace mmt::layers
