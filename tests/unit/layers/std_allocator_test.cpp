// std_allocator serves containers and goes with them when they move.
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/adapt/std_allocator.h>
#include <mmt/layers/adapt/unique_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/observe/debug_heap.h>
#include <mmt/layers/observe/fail_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/source/mmap_heap.h>

namespace mmt::layers {
namespace {

using Counted = Pipe<KingsleyHeap<MmapHeap>, Statistics>;
template <class T>
using Allocator = std_allocator<T, Counted>;
template <class T>
using Vector = std::vector<T, Allocator<T>>;

struct ForTest;
template <class T>
using StatelessAllocator = std_allocator<T, UniqueHeap<Counted, ForTest>>;

TEST(StdAllocator, ServesContainers) {
  Counted heap;
  {
    Vector<int> numbers{Allocator<int>(heap)};
    std::map<int, std::string, std::less<>, Allocator<std::pair<const int, std::string>>> names{
        Allocator<int>(heap)};
    std::unordered_map<int, int, std::hash<int>, std::equal_to<>,
                       Allocator<std::pair<const int, int>>>
        squares{Allocator<char>(heap)};
    for (int i = 0; i < 1000; ++i) {
      numbers.push_back(i);
      names[i] = std::to_string(i);
      squares[i] = i * i;
    }
    EXPECT_EQ(numbers[999], 999);
    EXPECT_EQ(names.at(500), "500");
    EXPECT_EQ(squares.at(30), 900);
    EXPECT_GT(heap.statistics().blocks, 2000u);
  }
  EXPECT_EQ(heap.statistics().blocks, 0u);
}

TEST(StdAllocator, IsEqualForTheSameHeap) {
  Counted a;
  Counted b;
  EXPECT_TRUE(Allocator<int>(a) == Allocator<int>(a));
  EXPECT_TRUE(Allocator<int>(a) == Allocator<char>(a));
  EXPECT_TRUE(Allocator<int>(Allocator<char>(a)) == Allocator<int>(a));
  EXPECT_FALSE(Allocator<int>(a) == Allocator<int>(b));
  EXPECT_TRUE(Allocator<int>(a) != Allocator<char>(b));
  EXPECT_TRUE(StatelessAllocator<int>() == StatelessAllocator<char>());
}

TEST(StdAllocator, GoesAlongWhenContainersMove) {
  Counted a;
  Counted b;
  {
    Vector<int> first({1, 2, 3}, Allocator<int>(a));
    Vector<int> second({4}, Allocator<int>(b));
    const int* const data = first.data();
    second = std::move(first);
    EXPECT_EQ(second.data(), data);
    EXPECT_TRUE(second.get_allocator() == Allocator<int>(a));
    EXPECT_EQ(b.statistics().blocks, 0u);

    Vector<int> third({5, 6}, Allocator<int>(b));
    swap(second, third);
    EXPECT_TRUE(second.get_allocator() == Allocator<int>(b));
    EXPECT_EQ(third.data(), data);

    third = second;
    EXPECT_TRUE(third.get_allocator() == Allocator<int>(b));
    EXPECT_EQ(third, second);
    EXPECT_EQ(a.statistics().blocks, 0u);

    const Vector<int> copy(second);
    EXPECT_TRUE(copy.get_allocator() == Allocator<int>(b));
    Vector<int> elsewhere(second, Allocator<int>(a));
    EXPECT_EQ(elsewhere, second);
    EXPECT_EQ(a.statistics().blocks, 1u);
  }
  EXPECT_EQ(a.statistics().blocks, 0u);
  EXPECT_EQ(b.statistics().blocks, 0u);
}

TEST(StdAllocator, SplicesListsOfOneHeap) {
  Counted heap;
  std::list<int, Allocator<int>> a({1, 2}, Allocator<int>(heap));
  std::list<int, Allocator<int>> b({3}, Allocator<int>(heap));
  a.splice(a.end(), b);
  EXPECT_EQ(a.size(), 3u);
  EXPECT_TRUE(b.empty());
}

TEST(StdAllocator, TakesNoRoomWithoutState) {
  static_assert(std::is_empty_v<StatelessAllocator<int>>);
  static_assert(sizeof(std::vector<int, StatelessAllocator<int>>) == sizeof(std::vector<int>));
  static_assert(std::allocator_traits<StatelessAllocator<int>>::is_always_equal::value);
  static_assert(!std::allocator_traits<Allocator<int>>::is_always_equal::value);
  static_assert(!std::is_default_constructible_v<Allocator<int>>);
  static_assert(std::is_empty_v<std_allocator<int, MallocHeap>>);
  auto& counts = UniqueHeap<Counted, ForTest>().target().statistics();
  {
    std::vector<int, StatelessAllocator<int>> numbers;
    for (int i = 0; i < 100; ++i) numbers.push_back(i);
    EXPECT_EQ(counts.blocks, 1u);
  }
  EXPECT_EQ(counts.blocks, 0u);
}

struct alignas(256) Wide {
  char bytes[256];
};
TEST(StdAllocator, Aligns) {
  Counted heap;
  for (int i = 0; i < 5; ++i) {
    Vector<Wide> wide(3, Allocator<Wide>(heap));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(wide.data()) % 256, 0u);
    wide.resize(100);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(wide.data()) % 256, 0u);
  }
  EXPECT_EQ(heap.statistics().blocks, 0u);
}

TEST(StdAllocator, ThrowsWhenThereIsNoMemory) {
  Pipe<MallocHeap, Fail<FailEvery<1>>> heap;
  std_allocator<int, decltype(heap)> allocator(heap);
  EXPECT_THROW(static_cast<void>(allocator.allocate(1)), std::bad_alloc);
  Counted large;
  Allocator<int> numbers(large);
  EXPECT_THROW(static_cast<void>(numbers.allocate(SIZE_MAX / 2)), std::bad_array_new_length);
  EXPECT_THROW(static_cast<void>(numbers.allocate(SIZE_MAX / 8)), std::bad_alloc);
}

struct Note {
  void operator()(const FaultReport& report) const { ADD_FAILURE() << name_of(report.kind); }
};
TEST(StdAllocator, FreesWithTheSizeThatWasAsked) {
  Pipe<MmapHeap, Chunk<65536>, Debug<Note>> heap;
  static_assert(SizedFreeHeap<decltype(heap)>);
  std::vector<long, std_allocator<long, decltype(heap)>> numbers(heap);
  for (int i = 0; i < 1000; ++i) numbers.push_back(i);
  std::list<char, std_allocator<char, decltype(heap)>> letters(50, 'x', heap);
}

}  // namespace
}  // namespace mmt::layers
