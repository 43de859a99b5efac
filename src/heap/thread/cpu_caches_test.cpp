// Blocks that thrifty clients leave for each other, and what happens when a cache is busy.
#include "heap/thread/cpu_caches.h"

#include <sched.h>

#include <vector>

#include <gtest/gtest.h>

#include <mmt/sys/thread.h>

#include "heap/gates/arrive.h"
#include "heap/object/depot_guard.h"
#include "heap/object/thread_state.h"
#include "heap/thread/hand_over.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"

namespace mmt::heap {
namespace {

using test::lock;

constexpr SizeClass kCached = store::class_of_size(4096);
constexpr size_t kSize = kClasses[kCached].size;
constexpr uint32_t kOther = 1;  // the identity of another thread

class CpuCachesTest : public ::testing::Test {
 protected:
  CpuCachesTest() {
    heap.cpus = 16;  // all caches are in use
    heap.thrifty.store(true);
  }

  std::vector<void*> take(size_t count, SizeClass c = kCached) {
    std::vector<void*> blocks(count);
    for (void*& block : blocks) {
      {
        const DepotGuard lock(heap);
        block = heap.depot.singles().take(lock, c);
      }
      if (block == nullptr) block = take_fresh_block(heap, c);
    }
    return blocks;
  }
  size_t spare(SizeClass c = kCached) {
    const DepotGuard lock(heap);
    heap.depot.returned().collect(lock, ~size_t{0});
    return heap.depot.free_blocks(lock, c);
  }
  size_t bytes_in_caches() {
    size_t bytes = 0;
    for (const CpuCache& cache : heap.cpu_caches) bytes += cache.bytes;
    return bytes;
  }
  void hold_all(uint32_t self) {
    for (CpuCache& cache : heap.cpu_caches) ASSERT_TRUE(cache.lock.try_lock(self));
  }

  test::FreshHeap heap;
  Client& one = heap.add_client();
  Client& other = heap.add_client();
};

TEST_F(CpuCachesTest, GivesTheNewestBlockFirst) {
  ASSERT_TRUE(sys::bind_to_cpu(static_cast<unsigned>(sched_getcpu())));
  const std::vector<void*> blocks = take(3);
  ASSERT_EQ(leave_to_cpu(one, kCached, blocks.data(), 3), 3u);
  void* found[2];
  ASSERT_EQ(take_from_cpu(other, kCached, found, 2), 2u);
  EXPECT_EQ(found[0], blocks[2]);
  EXPECT_EQ(found[1], blocks[1]);
  EXPECT_EQ(cached_by_cpus(heap, kCached), 1u);
}

TEST_F(CpuCachesTest, FillsFromTheDepotWithTheLowestFirst) {
  void* blocks[2];
  ASSERT_EQ(take_from_cpu(one, kCached, blocks, 2), 2u);
  EXPECT_EQ(blocks[0], heap.depot.region().address(0));
  EXPECT_EQ(static_cast<char*>(blocks[1]), static_cast<char*>(blocks[0]) + kSize);
  EXPECT_EQ(bytes_in_caches(), cached_by_cpus(heap, kCached) * kSize);
  EXPECT_GT(cached_by_cpus(heap, kCached), 0u);
}

TEST_F(CpuCachesTest, ABusyDepotIsNotWaitedFor) {
  ASSERT_TRUE(heap.depot.lock().try_lock(kOther));
  void* block;
  EXPECT_EQ(take_from_cpu(one, kCached, &block, 1), 0u);
  heap.depot.lock().unlock(kOther);
  EXPECT_EQ(take_from_cpu(one, kCached, &block, 1), 1u);
}

TEST_F(CpuCachesTest, HeldCachesArePassedOver) {
  std::vector<void*> blocks = take(2);
  const size_t before = spare();
  hold_all(kOther);
  EXPECT_EQ(leave_to_cpu(one, kCached, blocks.data(), 2), 0u);
  void* block;
  EXPECT_EQ(take_from_cpu(one, kCached, &block, 1), 0u);
  give_back(one, kCached, blocks.data(), 2);
  EXPECT_EQ(spare(), before + 2);
}

TEST_F(CpuCachesTest, HoldNoMoreThanTheirBound) {
  constexpr size_t kBlocks = 8 * kMostInCpuCache / kSize;
  for (void* block : take(kBlocks)) ASSERT_EQ(leave_to_cpu(one, kCached, &block, 1), 1u);
  for (const CpuCache& cache : heap.cpu_caches) EXPECT_LE(cache.bytes, kMostInCpuCache);
  const size_t in_depot = spare();
  const size_t all = heap.depot.spans().class_spans(kCached) * kClasses[kCached].blocks;
  EXPECT_EQ(in_depot + cached_by_cpus(heap, kCached), all);
}

// Small ones fill a cache only together: room for the next class is made by the largest.
TEST_F(CpuCachesTest, AllClassesTogetherAreBounded) {
  for (SizeClass c = 1; c < kClassCount; ++c) {
    for (void* block : take(2 * kMostInCpuCache / kClasses[c].size, c))
      ASSERT_EQ(leave_to_cpu(one, c, &block, 1), 1u);
  }
  size_t bytes = 0;
  for (SizeClass c = 1; c < kClassCount; ++c) bytes += cached_by_cpus(heap, c) * kClasses[c].size;
  EXPECT_EQ(bytes, bytes_in_caches());
  for (const CpuCache& cache : heap.cpu_caches) EXPECT_LE(cache.bytes, kMostInCpuCache);
}

TEST_F(CpuCachesTest, AreEmptiedOnceNobodyUsesThem) {
  std::vector<void*> blocks = take(5);
  const size_t before = spare();
  const uint32_t self = sys::current_thread_id();
  ASSERT_EQ(leave_to_cpu(one, kCached, blocks.data(), 5), 5u);
  EXPECT_FALSE(empty_cpu_caches(heap, self, CpuCacheKind::kUnused));
  EXPECT_EQ(cached_by_cpus(heap, kCached), 5u);
  EXPECT_TRUE(empty_cpu_caches(heap, self, CpuCacheKind::kUnused));
  EXPECT_EQ(cached_by_cpus(heap, kCached), 0u);
  EXPECT_EQ(bytes_in_caches(), 0u);
  EXPECT_EQ(spare(), before + 5);
}

TEST_F(CpuCachesTest, AreEmptiedOnceNobodyIsThrifty) {
  std::vector<void*> blocks = take(5);
  ASSERT_EQ(leave_to_cpu(one, kCached, blocks.data(), 5), 5u);
  heap.thrifty.store(false);
  EXPECT_TRUE(empty_cpu_caches(heap, sys::current_thread_id(), CpuCacheKind::kUnused));
  EXPECT_EQ(cached_by_cpus(heap, kCached), 0u);
}

TEST_F(CpuCachesTest, AnAbandonedOneServesAgain) {
  std::vector<void*> blocks = take(5);
  ASSERT_EQ(leave_to_cpu(one, kCached, blocks.data(), 5), 5u);
  const uint32_t self = thread_id();
  hold_all(self);
  for (CpuCache& cache : heap.cpu_caches) cache.bytes += kSize;  // half done
  recover_cpu_caches(heap, self);
  void* block;
  EXPECT_NE(take_from_cpu(one, kCached, &block, 1), 0u);
  EXPECT_EQ(bytes_in_caches(), cached_by_cpus(heap, kCached) * kSize);
}

TEST_F(CpuCachesTest, AForkLeavesWhatItsHandlerInterrupted) {
  const uint32_t self = thread_id();
  CpuCache& interrupted = heap.cpu_caches[1];
  ASSERT_TRUE(interrupted.lock.try_lock(self));
  hold_cpu_caches(heap, self);
  EXPECT_TRUE(heap.cpu_caches[0].lock.held_by(self));
  release_cpu_caches(heap, self);
  EXPECT_EQ(heap.cpu_caches[0].lock.owner(), 0u);
  EXPECT_TRUE(interrupted.lock.held_by(self));
  interrupted.lock.unlock(self);
}

// The interrupted thread goes on in the child, or never comes back: there may be forks in between.
TEST_F(CpuCachesTest, AChildKeepsWhatItsHandlerInterruptedUnderItsNewId) {
  constexpr uint32_t kParent = 100, kChild = 101, kGrandchild = 102;
  CpuCache& interrupted = heap.cpu_caches[1];
  ASSERT_TRUE(interrupted.lock.try_lock(kParent));
  hold_cpu_caches(heap, kParent);
  reset_cpu_caches_in_child(heap, kChild, kParent);
  EXPECT_TRUE(interrupted.lock.held_by(kChild));
  EXPECT_EQ(heap.cpu_caches[0].lock.owner(), 0u);
  hold_cpu_caches(heap, kChild);
  reset_cpu_caches_in_child(heap, kGrandchild, kChild);
  EXPECT_TRUE(interrupted.lock.held_by(kGrandchild));
  recover_cpu_caches(heap, kGrandchild);
  EXPECT_EQ(interrupted.lock.owner(), 0u);
}

TEST_F(CpuCachesTest, AForkDoesNotWaitForOthers) {
  std::vector<void*> blocks = take(3);
  ASSERT_EQ(leave_to_cpu(one, kCached, blocks.data(), 3), 3u);
  hold_all(kOther);
  for (CpuCache& cache : heap.cpu_caches) cache.bytes += kSize;  // half done
  const uint32_t self = thread_id();
  hold_cpu_caches(heap, self);
  release_cpu_caches(heap, self);
  EXPECT_TRUE(heap.cpu_caches[0].lock.held_by(kOther));
  hold_cpu_caches(heap, self);
  reset_cpu_caches_in_child(heap, self, self);
  EXPECT_EQ(bytes_in_caches(), 3 * kSize);
  void* block;
  EXPECT_EQ(take_from_cpu(one, kCached, &block, 1), 1u);
}

}  // namespace
}  // namespace mmt::heap
