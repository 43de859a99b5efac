// PHKmalloc's chunks: sizes, order, and what becomes of their pages.
#include <cstdint>
#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/general/phk_heap.h>
#include <mmt/layers/source/reserved_heap.h>

#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

using Heap = PhkHeap<ReservedHeap<>>;

char* take(Heap& heap, size_t bytes) { return static_cast<char*>(heap.malloc(bytes)); }

TEST(PhkHeap, RoundsSizesToPowersOfTwoAndPages) {
  Heap heap;
  const size_t expected[][2] = {{0, 16},      {1, 16},      {16, 16},     {17, 32},
                                {33, 64},     {1000, 1024}, {1025, 2048}, {2048, 2048},
                                {2049, 4096}, {4096, 4096}, {4097, 8192}, {100000, 102400}};
  for (const auto& [bytes, size] : expected) {
    EXPECT_EQ(heap.good_size(bytes), size);
    EXPECT_EQ(heap.get_size(heap.malloc(bytes)), size);
  }
}

TEST(PhkHeap, AlignsChunksToTheirSize) {
  Heap heap;
  for (size_t bytes = 16; bytes <= 8192; bytes *= 2) {
    for (int i = 0; i < 5; ++i) {
      const size_t alignment = bytes < kPhkPage ? bytes : kPhkPage;
      EXPECT_EQ(reinterpret_cast<uintptr_t>(heap.malloc(bytes)) % alignment, 0u);
    }
  }
  for (const size_t alignment : std::initializer_list<size_t>{32, 512, 2048, 4096, 65536}) {
    const Block block = heap.allocate(20, alignment);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.data) % alignment, 0u);
    EXPECT_EQ(heap.get_size(block.data), block.size);
    heap.free(block.data);
  }
}

TEST(PhkHeap, GivesTheLowestChunkFirst) {
  Heap heap;
  char* blocks[100];
  for (int i = 0; i < 100; ++i) blocks[i] = take(heap, 32);
  for (int i = 1; i < 100; ++i) ASSERT_EQ(blocks[i], blocks[0] + 32 * i);
  for (const int i : {70, 3, 99, 64, 63}) heap.free(blocks[i]);
  for (const int i : {3, 63, 64, 70, 99}) EXPECT_EQ(take(heap, 20), blocks[i]);
  EXPECT_EQ(take(heap, 32), blocks[0] + 3200);
}

TEST(PhkHeap, GivesChunksOfTheLowestPageFirst) {
  Heap heap;
  char* blocks[8];
  for (char*& block : blocks) block = take(heap, 2048);
  // All orders in which pages may come to have a chunk: the original puts none before the first.
  const int orders[][4] = {{0, 2, 4, 6}, {6, 4, 2, 0}, {4, 6, 0, 2}, {2, 0, 6, 4}, {4, 0, 6, 2}};
  for (const auto& order : orders) {
    for (const int i : order) heap.free(blocks[i]);
    for (int i = 0; i < 8; i += 2) EXPECT_EQ(take(heap, 2048), blocks[i]);
  }
}

TEST(PhkHeap, FreesAPageWithItsLastChunk) {
  Heap heap;
  std::vector<char*> blocks;
  for (int i = 0; i < 512; ++i) blocks.push_back(take(heap, 16));
  EXPECT_EQ(blocks[511], blocks[0] + 511 * 16);
  const size_t before = heap.usage().free_bytes;
  for (int i = 0; i < 255; ++i) heap.free(blocks[static_cast<size_t>(i)]);
  EXPECT_EQ(heap.usage().free_bytes, before + 255 * 16);
  heap.free(blocks[255]);
  EXPECT_EQ(heap.usage().free_bytes, before + kPhkPage);
  EXPECT_EQ(take(heap, 3000), blocks[0]) << "the page serves other sizes";
  EXPECT_EQ(heap.get_size(blocks[256]), 16u);
}

TEST(PhkHeap, ForgetsAllWhenCleared) {
  Heap heap;
  char* const first = take(heap, 100);
  for (size_t bytes = 1; bytes < 100000; bytes *= 3) heap.malloc(bytes);
  heap.clear();
  EXPECT_EQ(heap.usage().free_bytes, heap.usage().system_bytes);
  EXPECT_EQ(take(heap, 100), first);
  mix(heap, 5, 2000, 5000);
}

TEST(PhkHeap, KeepsContents) {
  for (const char* letters : {"", "P", "J", "C", "F", "G", "S", "SZH", "<<<<<"}) {
    Heap heap;
    heap.set_options(phk_options_of(nullptr, nullptr, letters));
    mix(heap, 3, 20000, 3000);
    mix(heap, 4, 3000, 50000);
  }
}

// A heap that is there before the program's constructors run.
union Storage {
  constexpr Storage() : heap() {}
  ~Storage() {}
  PhkHeap<SbrkHeap, PhkProcessOptions> heap;
};
constinit Storage early;

TEST(PhkHeap, NeedsNoConstructor) {
  void* const block = early.heap.malloc(10);
  EXPECT_TRUE(early.heap.owns(block));
  early.heap.free(block);
}

}  // namespace
}  // namespace mmt::layers
