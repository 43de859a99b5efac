// HeapResource serves containers, aligns, and is equal for the same heap alone.
#include <map>
#include <memory_resource>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/adapt/memory_resource.h>
#include <mmt/layers/adapt/unique_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/observe/debug_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/source/mmap_heap.h>

namespace mmt::layers {
namespace {

using Counted = Pipe<KingsleyHeap<MmapHeap>, Statistics>;

TEST(HeapResource, ServesContainers) {
  Counted heap;
  HeapResource resource(heap);
  {
    std::pmr::vector<std::pmr::string> words(&resource);
    std::pmr::map<int, std::pmr::string> by_number(&resource);
    for (int i = 0; i < 300; ++i) {
      words.emplace_back("a word that is too long to lie within the string itself");
      by_number.emplace(i, words.back());
    }
    EXPECT_EQ(by_number.at(7), words[7]);
    EXPECT_GT(heap.statistics().blocks, 900u);
  }
  EXPECT_EQ(heap.statistics().blocks, 0u);
}

TEST(HeapResource, IsEqualForTheSameHeap) {
  Counted a;
  Counted b;
  const HeapResource<Counted> of_a(a);
  const HeapResource<Counted> also_of_a(a);
  const HeapResource<Counted> of_b(b);
  EXPECT_TRUE(of_a == of_a);
  EXPECT_TRUE(of_a == also_of_a);
  EXPECT_FALSE(of_a == of_b);
  EXPECT_FALSE(of_a == *std::pmr::new_delete_resource());
  EXPECT_FALSE(*std::pmr::new_delete_resource() == of_a);
  using Stateless = UniqueHeap<Counted>;
  const HeapResource<Stateless> one;
  const HeapResource<Stateless> other;
  EXPECT_TRUE(one == other);
  EXPECT_FALSE(one == of_a);
}

TEST(HeapResource, Aligns) {
  Counted heap;
  HeapResource resource(heap);
  for (size_t alignment = 1; alignment <= 65536; alignment *= 2) {
    void* block = resource.allocate(40, alignment);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0u);
    resource.deallocate(block, 40, alignment);
  }
  EXPECT_EQ(heap.statistics().blocks, 0u);
}

TEST(HeapResource, ThrowsWhatItCannotServe) {
  Pipe<MmapHeap, Chunk<4096>> heap;
  HeapResource resource(heap);
  EXPECT_NE(resource.allocate(8, 16), nullptr);
  EXPECT_THROW(static_cast<void>(resource.allocate(8, 64)), std::bad_alloc);
  EXPECT_THROW(static_cast<void>(resource.allocate(SIZE_MAX, 8)), std::bad_alloc);
}

// Below 16 bytes of alignment, 8 modulo 16 will do for 8.
TEST(HeapResource, KnowsSkewedHeaps) {
  Pipe<MmapHeap, Chunk<4096, 8>> heap;
  HeapResource resource(heap);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(resource.allocate(8, 8)) % 16, 8u);
  EXPECT_THROW(static_cast<void>(resource.allocate(8, 16)), std::bad_alloc);
}

struct Note {
  void operator()(const FaultReport& report) const { ADD_FAILURE() << name_of(report.kind); }
};
TEST(HeapResource, FreesWithTheSizeThatWasAsked) {
  Pipe<MmapHeap, Debug<Note>> heap;
  HeapResource resource(heap);
  std::pmr::vector<int> numbers(&resource);
  for (int i = 0; i < 1000; ++i) numbers.push_back(i);
  void* wide = resource.allocate(100, 512);
  resource.deallocate(wide, 100, 512);
}

// A pool of the library above a heap of ours.
TEST(HeapResource, IsASourceOfPools) {
  Counted heap;
  HeapResource resource(heap);
  {
    std::pmr::unsynchronized_pool_resource pool(&resource);
    std::pmr::vector<std::pmr::vector<int>> rows(&pool);
    for (int i = 0; i < 100; ++i) rows.emplace_back(i, i);
    EXPECT_EQ(rows[99][98], 99);
    EXPECT_GT(heap.statistics().blocks, 0u);
  }
  EXPECT_EQ(heap.statistics().blocks, 0u);
}

}  // namespace
}  // namespace mmt::layers
