// ThreadHeap: a thread reuses what it freed itself, and nothing that others freed.
#include <gtest/gtest.h>

#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/combine/strict_seg_heap.h>
#include <mmt/layers/fit/bounded_freelist_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/thread/thread_heap.h>

#include "unit/layers/bottom_heap.h"
#include "unit/layers/threaded_mix.h"

namespace mmt::layers {
namespace {

using Lists = StrictSeg<PowersOfTwo<16>, Freelist>;
constexpr size_t kMany = 64;  // more than a test has threads

TEST(ThreadIndex, DiffersFromThreadToThreadAndStays) {
  const size_t mine = thread_index();
  size_t first = mine;
  size_t second = mine;
  std::thread([&] {
    first = thread_index();
    EXPECT_EQ(thread_index(), first);
  }).join();
  std::thread([&] { second = thread_index(); }).join();
  EXPECT_NE(first, mine);
  EXPECT_NE(second, mine);
  EXPECT_NE(first, second);
  EXPECT_EQ(thread_index(), mine);
}

TEST(ThreadHeap, WhatAThreadFreesIsItsOwn) {
  Bottom bottom;
  {
    OverBottom<Size, Thread<kMany, Lists>> heap(bottom);
    void* const block = heap.malloc(100);
    void* theirs = nullptr;
    in_another_heap<kMany>([&] {
      heap.free(block);
      EXPECT_EQ(heap.malloc(100), block) << "memory goes to the thread that frees it";
      heap.free(block);
      theirs = heap.malloc(1000);
    });
    void* const next = heap.malloc(100);
    EXPECT_NE(next, block);
    heap.free(next);
    EXPECT_EQ(heap.malloc(100), next);
    heap.free(next);
    heap.free(theirs);
    EXPECT_EQ(heap.malloc(1000), theirs);
    heap.free(theirs);
    EXPECT_EQ(bottom.statistics().blocks, 3u);
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u);
}

TEST(ThreadHeap, MoreThreadsThanHeapsShareThem) {
  for (int round = 0; round < 3; ++round) {
    Bottom bottom;
    {
      OverBottom<Size, Thread<2, Lists>> heap(bottom);
      ThreadedMix(heap).run(5, 3000);
    }
    EXPECT_EQ(bottom.statistics().blocks, 0u);
  }
}

TEST(ThreadHeap, OfManyCompositions) {
  Pipe<MmapHeap, Chunk<65536, 8>, Size, Thread<8, Lists>, Ansi> private_lists;
  ThreadedMix(private_lists, 3000).run(4, 4000);
  Pipe<MallocHeap, Thread<8, StrictSeg<MultiplesOf<40>, BoundedFreelist<20>>>> bounded;
  ThreadedMix(bounded).run(4, 4000);
  Pipe<MmapHeap, Chunk<65536, 8>, Size, Lists, Thread<3, Lists>> twice;
  ThreadedMix(twice).run(4, 4000);
}

// The bounded list gives to the shared heap what it does not keep, where all can have it.
TEST(ThreadHeap, ABoundedListSharesTheRest) {
  Bottom bottom;
  OverBottom<Thread<kMany, BoundedFreelist<2>>> heap(bottom);
  void* blocks[6];
  for (void*& block : blocks) block = heap.malloc(64);
  in_another_heap<kMany>([&] {
    for (void* block : blocks) heap.free(block);
  });
  EXPECT_EQ(bottom.statistics().blocks, 2u);
}

TEST(ThreadHeap, AlignedBlocksGoAsTheLargerOnesThatTheyLieIn) {
  Bottom bottom;
  {
    OverBottom<Size, Thread<4, Lists>> heap(bottom);
    for (int round = 0; round < 50; ++round) {
      for (const size_t alignment : {8u, 16u, 64u, 4096u}) {
        for (const size_t bytes : {0u, 1u, 100u, 3000u}) {
          const Block block = heap.allocate(bytes, alignment);
          ASSERT_NE(block.data, nullptr);
          EXPECT_TRUE(is_aligned(block.data, alignment));
          EXPECT_GE(block.size, bytes);
          EXPECT_EQ(heap.get_size(block.data), block.size);
          heap.free(block.data);
        }
      }
    }
    mix(heap, 1, 5000, 5000);
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u);
  OverBottom<Thread<4, Lists>> without_words(bottom);
  for (const size_t alignment : {16u, 64u, 4096u}) {
    const Block block = without_words.allocate(10, alignment);
    EXPECT_TRUE(is_aligned(block.data, alignment));
    without_words.free(block.data);
  }
  mix(without_words, 2, 5000, 5000);
}

TEST(ThreadHeap, ARefusalChangesNothing) {
  Bottom bottom;
  OverBottom<Size, Thread<4, Lists>> heap(bottom);
  refuse_all(bottom);
  EXPECT_EQ(heap.malloc(10), nullptr);
  EXPECT_EQ(heap.allocate(10, 64).data, nullptr);
  serve_all(bottom);
  EXPECT_EQ(heap.malloc(SIZE_MAX), nullptr);
  EXPECT_EQ(heap.good_size(SIZE_MAX), 0u);
  EXPECT_EQ(heap.good_size(100), PowersOfTwo<16>::size(PowersOfTwo<16>::of(100)));
  void* const block = heap.malloc(10);
  ASSERT_NE(block, nullptr);
  heap.free(block);
}

TEST(ThreadHeap, ClearEmptiesAllHeaps) {
  Pipe<MmapHeap, Chunk<65536, 8>, Size, Thread<4, Lists>> heap;
  for (int round = 0; round < 3; ++round) {
    in_another_heap<4>([&] { mix(heap, 1, 500, 500); });
    mix(heap, 2, 500, 500);
    heap.malloc(100);
    heap.clear();
  }
}

TEST(ThreadHeap, SurvivesFork) {
  Pipe<MmapHeap, Chunk<65536, 8>, Size, Thread<4, Lists>> heap;
  expect_to_survive_fork(heap);
}

constinit Pipe<MmapHeap, Chunk<65536, 8>, Size, Thread<4, Lists>> made_at_compile_time;

}  // namespace
}  // namespace mmt::layers
