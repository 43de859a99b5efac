// LockedHeap: each call holds the lock once, and threads do not disturb each other.
#include <gtest/gtest.h>

#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/source/mapped_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/thread/locked_heap.h>

#include "unit/layers/bottom_heap.h"
#include "unit/layers/threaded_mix.h"

namespace mmt::layers {
namespace {

// Sees itself taken and opened; one for each type of heap.
template <int kTag>
struct CountingLock {
  void lock() {
    EXPECT_FALSE(is_held);
    is_held = true;
    ++taken;
  }
  void unlock() {
    EXPECT_TRUE(is_held);
    is_held = false;
  }
  static inline bool is_held = false;
  static inline int taken = 0;
};

// Checks that it is called under the lock.
template <int kTag>
class GuardedSource : public MappedHeap {
 public:
  void* malloc(size_t bytes) { return is_alone(), MappedHeap::malloc(bytes); }
  void free(void* block) { is_alone(), MappedHeap::free(block); }
  void free(void* block, size_t) { is_alone(), MappedHeap::free(block); }
  Block allocate(size_t bytes, size_t alignment) {
    return is_alone(), MappedHeap::allocate(bytes, alignment);
  }
  void* remap(void* block, size_t bytes) { return is_alone(), MappedHeap::remap(block, bytes); }
  bool expand(void* block, size_t bytes) {
    return is_alone(), bytes <= MappedHeap::get_size(block);
  }
  size_t get_size(const void* block) const { return is_alone(), MappedHeap::get_size(block); }
  size_t good_size(size_t bytes) const { return is_alone(), MappedHeap::good_size(bytes); }
  bool owns(const void* address) const { return is_alone(), MappedHeap::owns(address); }
  void clear() { is_alone(), MappedHeap::clear(); }
  bool trim() { return is_alone(), true; }
  int usage() { return is_alone(), 7; }

 private:
  static void is_alone() { EXPECT_TRUE(CountingLock<kTag>::is_held); }
};

TEST(LockedHeap, EachCallHoldsTheLockOnce) {
  using Lock = CountingLock<1>;
  Pipe<GuardedSource<1>, Locked<Lock>> heap;
  Lock::taken = 0;
  const auto expect_one = [] {
    EXPECT_EQ(std::exchange(Lock::taken, 0), 1);
    EXPECT_FALSE(Lock::is_held);
  };
  void* block = heap.malloc(10);
  expect_one();
  EXPECT_EQ(heap.get_size(block), 4096u - 16);
  expect_one();
  EXPECT_TRUE(heap.expand(block, 100));
  expect_one();
  EXPECT_TRUE(heap.owns(block));
  expect_one();
  block = heap.remap(block, 10000);
  expect_one();
  heap.free(block);
  expect_one();
  const Block aligned = heap.allocate(10, 128);
  expect_one();
  heap.free(aligned.data, 10);
  expect_one();
  EXPECT_EQ(heap.good_size(10), 4096u - 16);
  expect_one();
  heap.clear();
  expect_one();
  EXPECT_TRUE(heap.trim());
  expect_one();
  EXPECT_EQ(heap.usage(), 7);
  expect_one();
  EXPECT_EQ(heap.alone([](GuardedSource<1>& source) { return source.good_size(1); }), 4096u - 16);
  expect_one();
}

TEST(LockedHeap, SizesThatAreSharedNeedNoLock) {
  using Lock = CountingLock<2>;
  Pipe<MmapHeap, Locked<Lock>> heap;
  Lock::taken = 0;
  void* const block = heap.malloc(10);
  EXPECT_EQ(heap.get_size(block), 4096u - 16);
  heap.free(block);
  EXPECT_EQ(Lock::taken, 2);
}

TEST(LockedHeap, ThreadsShareIt) {
  Bottom bottom;
  {
    // A bottom has no lock of its own: all of it is under the heap's.
    OverBottom<Locked<>> heap(bottom);
    ThreadedMix(heap).run(4, 4000);
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u);
  Pipe<KingsleyHeap<MmapHeap>, Statistics, Locked<>, Ansi> kingsley;
  ThreadedMix(kingsley).run(4, 4000);
  const auto blocks = [](auto& heap) { return heap.statistics().blocks; };
  EXPECT_EQ(kingsley.alone(blocks), 0u);
}

TEST(LockedHeap, SurvivesFork) {
  Pipe<KingsleyHeap<MmapHeap>, Locked<>> heap;
  expect_to_survive_fork(heap);
}

static_assert(kHasSharedSizes<Pipe<GuardedSource<1>, Locked<>>>);
static_assert(!SizedHeap<Pipe<MmapHeap, Chunk<4096>, Locked<>>>);
static_assert(ForkableLock<Mutex> && HeapLock<CountingLock<1>> && !ForkableLock<CountingLock<1>>);

constinit Pipe<KingsleyHeap<>, Locked<>> made_at_compile_time;

}  // namespace
}  // namespace mmt::layers
