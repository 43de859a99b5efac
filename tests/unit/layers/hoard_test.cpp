// Hoard's superblocks: how they are filled and emptied, and to whom they pass.
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/general/hoard_heap.h>

#include "unit/layers/random_mix.h"
#include "unit/layers/threaded_mix.h"

namespace mmt::layers {
namespace {

constexpr size_t kSuper = 65536;
using Heap = HoardHeap<>;

char* superblock_of(const void* block) {
  const auto address = reinterpret_cast<uintptr_t>(block);
  return reinterpret_cast<char*>(address - address % kSuper);
}

// So that other threads meet other heaps: a thread's number is given at its first request.
template <class Act>
void in_other_thread(Act act) {
  std::thread(act).join();
}

template <class H>
std::vector<void*> take(H& heap, size_t bytes, size_t count) {
  std::vector<void*> blocks(count);
  for (void*& block : blocks) block = heap.malloc(bytes);
  return blocks;
}

TEST(Hoard, CutsUpSuperblocks) {
  const auto heap = std::make_unique<Heap>();
  char* const first = static_cast<char*>(heap->malloc(100));
  EXPECT_EQ(heap->get_size(first), 112u);
  EXPECT_EQ(heap->malloc(112), first + 112);
  void* const other = heap->malloc(113);
  EXPECT_EQ(heap->get_size(other), 128u);
  EXPECT_NE(superblock_of(other), superblock_of(first));
  heap->free(first);
  EXPECT_EQ(heap->malloc(97), first);
  EXPECT_EQ(heap->find_fault(), nullptr);
}

TEST(Hoard, ServesLargeBlocksAlone) {
  const auto heap = std::make_unique<Heap>();
  constexpr size_t kLargest = HoardClasses<kSuper>::kLargest;
  EXPECT_EQ(heap->get_size(heap->malloc(kLargest)), kLargest);
  EXPECT_EQ(heap->usage().mapped_blocks, 0u);
  void* const large = heap->malloc(kLargest + 1);
  EXPECT_EQ(heap->get_size(large), kSuper - 64);
  void* const larger = heap->malloc(kSuper);
  EXPECT_EQ(heap->usage().mapped_blocks, 1u) << "one granule is as good as a superblock";
  heap->free(larger);
  heap->free(large);
  EXPECT_EQ(heap->usage().mapped_blocks, 0u);
}

TEST(Hoard, PrefersTheFullest) {
  const auto heap = std::make_unique<Heap>();
  const size_t capacity = (kSuper - sizeof(Superblock)) / 1024;
  std::vector<void*> blocks = take(*heap, 1024, 3 * capacity);
  char* const fuller = superblock_of(blocks[capacity]);
  ASSERT_NE(fuller, superblock_of(blocks[0]));
  for (size_t i = 0; i < capacity / 2; ++i) heap->free(blocks[i]);
  for (size_t i = 0; i < capacity / 8; ++i) heap->free(blocks[capacity + i]);
  for (size_t i = 0; i < capacity / 8; ++i) {
    EXPECT_EQ(superblock_of(heap->malloc(1024)), fuller);
  }
  EXPECT_EQ(superblock_of(heap->malloc(1024)), superblock_of(blocks[0]));
  EXPECT_EQ(heap->find_fault(), nullptr);
}

TEST(Hoard, EmptySuperblocksServeAnyClass) {
  const auto heap = std::make_unique<Heap>();
  void* const small = heap->malloc(20);
  heap->free(small);
  void* const other = heap->malloc(3000);
  EXPECT_EQ(superblock_of(other), superblock_of(small));
  EXPECT_EQ(heap->get_size(other), 3072u);
  EXPECT_EQ(heap->find_fault(), nullptr);
}

TEST(Hoard, KeepsFewEmptySuperblocks) {
  const auto heap = std::make_unique<Heap>();
  const std::vector<void*> blocks = take(*heap, 16384, 300);
  const size_t held = heap->usage().system_bytes;
  for (void* block : blocks) heap->free(block);
  EXPECT_EQ(heap->find_fault(), nullptr);
  // All can be had for a large class of their own.
  take(*heap, 30000, 150);
  EXPECT_EQ(heap->usage().system_bytes, held);
}

TEST(Hoard, AlignsWithinItsBlocks) {
  const auto heap = std::make_unique<Heap>();
  std::vector<void*> all;
  for (size_t alignment = 1; alignment <= 262144; alignment *= 2) {
    for (const size_t bytes :
         {size_t{0}, size_t{0}, size_t{0}, size_t{1}, size_t{48}, size_t{1000}, alignment + 3}) {
      const Block block = heap->allocate(bytes, alignment);
      ASSERT_NE(block.data, nullptr);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(block.data) % alignment, 0u);
      ASSERT_GE(block.size, bytes);
      ASSERT_EQ(heap->get_size(block.data), block.size);
      std::memset(block.data, 7, block.size);
      all.push_back(block.data);
    }
    // Others of these superblocks are no worse for it.
    void* const plain = heap->malloc(1000 + alignment % 1000);
    ASSERT_EQ(heap->get_size(plain), heap->good_size(1000 + alignment % 1000));
    all.push_back(plain);
  }
  for (void* block : all) heap->free(block);
  EXPECT_EQ(heap->find_fault(), nullptr);
  const Usage usage = heap->usage();
  EXPECT_EQ(usage.mapped_blocks, 0u);
}

TEST(Hoard, OwnsItsBlocksAlone) {
  const auto heap = std::make_unique<Heap>();
  const auto other = std::make_unique<Heap>();
  int local;
  for (const size_t bytes : std::initializer_list<size_t>{10, 5000, 500000}) {
    auto* const block = static_cast<char*>(heap->malloc(bytes));
    EXPECT_TRUE(heap->owns(block));
    EXPECT_TRUE(heap->owns(block + bytes - 1));
    EXPECT_FALSE(other->owns(block));
  }
  EXPECT_FALSE(heap->owns(&local));
  EXPECT_FALSE(heap->owns(nullptr));
}

TEST(Hoard, KeepsContents) {
  const auto heap = std::make_unique<Heap>();
  mix(*heap, 1, 20000, 2000);
  mix(*heap, 2, 3000, 100000);
  EXPECT_EQ(heap->find_fault(), nullptr);
  heap->clear();
  mix(*heap, 3, 2000, 50000);
  heap->trim();
  mix(*heap, 4, 2000, 50000);
  EXPECT_EQ(heap->find_fault(), nullptr);
}

TEST(Hoard, ReturnsBlocksToTheHeapTheyAreOf) {
  const auto heap = std::make_unique<Heap>();
  const std::vector<void*> mine = take(*heap, 200, 50);
  in_another_heap<16>([&] {
    void* const block = heap->malloc(200);
    EXPECT_NE(superblock_of(block), superblock_of(mine[0])) << "each thread has its own";
    heap->free(mine[20]);
    EXPECT_NE(heap->malloc(200), mine[20]);
    heap->free(block);
  });
  EXPECT_EQ(heap->malloc(200), mine[20]);
  EXPECT_EQ(heap->find_fault(), nullptr);
}

TEST(Hoard, PassesEmptyingSuperblocksToOtherThreads) {
  const auto heap = std::make_unique<Heap>();
  std::vector<void*> blocks = take(*heap, 1000, 3000);
  const size_t held = heap->usage().system_bytes;
  // Nine of ten go: the global heap gets most superblocks, none of them empty.
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (i % 10 != 0) heap->free(blocks[i]);
  }
  EXPECT_EQ(heap->find_fault(), nullptr);
  in_other_thread([&] { take(*heap, 1000, 2400); });
  EXPECT_EQ(heap->usage().system_bytes, held);
  EXPECT_EQ(heap->find_fault(), nullptr);
  // The rest goes to whoever owns the superblocks by now.
  for (size_t i = 0; i < blocks.size(); i += 10) heap->free(blocks[i]);
  EXPECT_EQ(heap->find_fault(), nullptr);
}

// One takes, another frees, again and again: without bound where freed memory stayed with whom it
// does not serve.
TEST(Hoard, BoundsBlowup) {
  const auto heap = std::make_unique<Heap>();
  size_t held = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<void*> blocks;
    in_other_thread([&] { blocks = take(*heap, 500, 2000); });
    in_other_thread([&] {
      for (void* block : blocks) heap->free(block);
    });
    if (round == 16) held = heap->usage().system_bytes;
  }
  // A thread's heap may keep a superblock or two.
  EXPECT_LE(heap->usage().system_bytes, held + 16 * kSuper);
  EXPECT_LE(held, size_t{8} << 20);
  EXPECT_EQ(heap->find_fault(), nullptr);
}

// A heap that is there before the program's constructors run.
union Storage {
  constexpr Storage() : heap() {}
  ~Storage() {}
  HoardHeap<> heap;
};
constinit Storage early;

TEST(Hoard, NeedsNoConstructor) {
  void* const block = early.heap.malloc(10);
  EXPECT_TRUE(early.heap.owns(block));
  early.heap.free(block);
}

}  // namespace
}  // namespace mmt::layers
