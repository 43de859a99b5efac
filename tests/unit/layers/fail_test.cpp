// FailHeap refuses what its policy says, and nothing else.
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/observe/fail_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/source/buffer_heap.h>
#include <mmt/layers/source/malloc_heap.h>

namespace mmt::layers {
namespace {

template <class Policy>
using Failing = Pipe<MallocHeap, Statistics, Fail<Policy>>;

// Which of the first requests are refused.
template <class H>
std::vector<size_t> refused_of(H& heap, size_t requests, size_t bytes) {
  std::vector<size_t> refused;
  for (size_t i = 1; i <= requests; ++i) {
    void* block = heap.malloc(bytes);
    if (block == nullptr) {
      refused.push_back(i);
    } else {
      heap.free(block);
    }
  }
  EXPECT_EQ(heap.refusals(), refused.size());
  EXPECT_EQ(heap.statistics().mallocs, requests - refused.size());
  EXPECT_EQ(heap.statistics().failures, 0u);  // none of them came so far
  return refused;
}

TEST(FailHeap, RefusesEveryNth) {
  Failing<FailEvery<3>> heap;
  EXPECT_EQ(refused_of(heap, 10, 1), (std::vector<size_t>{3, 6, 9}));
  Failing<FailEvery<1>> never;
  EXPECT_EQ(refused_of(never, 2, 1), (std::vector<size_t>{1, 2}));
}

TEST(FailHeap, RefusesAfterSoManyBytes) {
  Failing<FailAfter<100>> heap;
  EXPECT_EQ(refused_of(heap, 6, 25), (std::vector<size_t>{5, 6}));
  Failing<FailAfter<100>> large;
  EXPECT_EQ(refused_of(large, 3, 60), (std::vector<size_t>{2, 3}));
}

TEST(FailHeap, RefusesAtRandomButAlwaysTheSame) {
  Failing<FailAtRandom<1, 4>> heap;
  Failing<FailAtRandom<1, 4>> same;
  Failing<FailAtRandom<2, 4>> other;
  const auto refused = refused_of(heap, 4000, 8);
  EXPECT_GT(refused.size(), 850u);
  EXPECT_LT(refused.size(), 1150u);
  EXPECT_EQ(refused_of(same, 4000, 8), refused);
  EXPECT_NE(refused_of(other, 4000, 8), refused);
}

TEST(FailHeap, RefusesWhenTold) {
  Failing<FailWhenTold> heap;
  void* block = heap.malloc(1);
  ASSERT_NE(block, nullptr);
  heap.fail_policy().left = 1;
  void* last = heap.malloc(1);
  EXPECT_NE(last, nullptr);
  EXPECT_EQ(heap.malloc(1), nullptr);
  EXPECT_EQ(heap.allocate(1, 64).data, nullptr);
  EXPECT_EQ(heap.refusals(), 2u);
  heap.fail_policy().left = 1;
  const Block aligned = heap.allocate(1, 64);
  EXPECT_NE(aligned.data, nullptr);
  heap.free(block);
  heap.free(last);
  heap.free(aligned.data);
  EXPECT_EQ(heap.statistics().blocks, 0u);
}

TEST(FailHeap, RefusesToGrow) {
  Pipe<BufferHeap<1000>, Size, Fail<FailWhenTold>> heap;
  void* block = heap.malloc(10);
  heap.fail_policy().left = 0;
  EXPECT_FALSE(heap.expand(block, 20));
  EXPECT_EQ(heap.get_size(block), 10u);
  heap.fail_policy().left = 1;
  EXPECT_TRUE(heap.expand(block, 20));
  EXPECT_EQ(heap.refusals(), 1u);
}

}  // namespace
}  // namespace mmt::layers
