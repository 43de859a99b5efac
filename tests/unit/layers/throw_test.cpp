// ThrowExceptionHeap throws where the super-heap gives null.
#include <gtest/gtest.h>

#include <mmt/layers/adapt/throw_exception_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/observe/fail_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/source/null_heap.h>

namespace mmt::layers {
namespace {

TEST(ThrowExceptionHeap, ThrowsInsteadOfNull) {
  Pipe<NullHeap, ThrowException> heap;
  EXPECT_THROW(heap.malloc(0), std::bad_alloc);
  EXPECT_THROW(heap.malloc(SIZE_MAX), std::bad_alloc);
  Pipe<MallocHeap, ThrowException> large;
  EXPECT_THROW(large.malloc(SIZE_MAX), std::bad_alloc);
  EXPECT_THROW(large.allocate(SIZE_MAX, 64), std::bad_alloc);
}

TEST(ThrowExceptionHeap, GivesOutWhatThereIs) {
  Pipe<MallocHeap, Statistics, Fail<FailEvery<2>>, ThrowException> heap;
  for (int i = 0; i < 5; ++i) {
    void* block = heap.malloc(10);
    ASSERT_NE(block, nullptr);
    EXPECT_THROW(heap.malloc(10), std::bad_alloc);
    heap.free(block);
    const Block aligned = heap.allocate(10, 128);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(aligned.data) % 128, 0u);
    EXPECT_GE(aligned.size, 10u);
    EXPECT_THROW(heap.allocate(10, 128), std::bad_alloc);
    heap.free(aligned.data);
  }
  EXPECT_EQ(heap.statistics().blocks, 0u);
  EXPECT_EQ(heap.refusals(), 10u);
}

// What the super-heap has lies open above.
static_assert(SizedHeap<Pipe<MallocHeap, ThrowException>>);
static_assert(!AligningHeap<Pipe<NullHeap, ThrowException>>);

}  // namespace
}  // namespace mmt::layers
