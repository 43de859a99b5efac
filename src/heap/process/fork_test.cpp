// Threads that end and processes that fork, played by one thread: who holds what between the
// handlers, and what a child takes over.
#include "heap/process/fork.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "heap/object/depot_guard.h"
#include "heap/object/thread_state.h"
#include "heap/process/allocation.h"
#include "heap/thread/attach.h"
#include "heap/thread/end_thread.h"
#include "heap/thread/hand_over.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"

namespace mmt::heap {
namespace {

constexpr SizeClass kEnding = store::class_of_size(100);

class ForkTest : public testing::Test {
 protected:
  size_t in_depot() {
    heap.depot.returned().collect(lock, ~size_t{0});
    return heap.depot.free_blocks(lock, kEnding);
  }
  // What a thread that is not there in the child had: some in its cache, some on their way.
  Client& other_thread() {
    Client& client = heap.add_client();
    const std::vector<char*> span = heap.take_span(kEnding);
    heap.serve();
    const std::vector<void*> sent(span.begin(), span.begin() + 50);
    give_back(client, kEnding, sent.data(), sent.size());
    heap.server.stay_away();
    for (size_t i = 50; i < 60; ++i) *++client.fast.top[kEnding] = span[i];
    return client;
  }

  test::HeldLock lock;
  test::FreshHeap heap;
};

TEST_F(ForkTest, ForkHoldsTheDepotUntilItIsOver) {
  before_fork(heap);
  EXPECT_TRUE(heap.depot.lock().held_by(thread_id()));
  EXPECT_TRUE(heap.forking);
  void* const block = allocate(heap, 300);
  EXPECT_NE(block, nullptr) << "by a handler of the program's";
  deallocate(heap, block);
  after_fork_in_parent(heap);
  EXPECT_FALSE(heap.depot.lock().held_by(thread_id()));
  EXPECT_FALSE(heap.forking);
}

TEST_F(ForkTest, ForkInAForksHandlerLeavesTheDepotToTheOuterOne) {
  before_fork(heap);
  before_fork(heap);
  after_fork_in_parent(heap);
  EXPECT_TRUE(heap.depot.lock().held_by(thread_id()));
  after_fork_in_parent(heap);
  EXPECT_FALSE(heap.depot.lock().held_by(thread_id()));
}

TEST_F(ForkTest, ChildTakesOverWhatOthersHeld) {
  ASSERT_NE(allocate(heap, 16), nullptr);
  Client& other = other_thread();
  const size_t before = in_depot();
  before_fork(heap);
  after_fork_in_child(heap);
  EXPECT_EQ(in_depot(), before + 60);
  EXPECT_EQ(other.lease.state(), other.lease.kFree);
  EXPECT_EQ(thread_state.client->lease.state(), Client{}.lease.kLive) << "its own goes on";
  EXPECT_EQ(heap.server.state(), heap.server.kNotStarted);
  EXPECT_FALSE(heap.depot.lock().held_by(thread_id()));
}

TEST_F(ForkTest, ChildLeavesAClientAloneThatWasAmidACall) {
  ASSERT_NE(allocate(heap, 16), nullptr);
  Client& other = other_thread();
  const size_t before = in_depot();
  other.busy_frame = 1;
  before_fork(heap);
  after_fork_in_child(heap);
  EXPECT_EQ(in_depot(), before);
  EXPECT_EQ(other.lease.state(), other.lease.kLive);
}

// Also where a forced signal's handler has forked amid a step.
TEST_F(ForkTest, ChildFreesChannelsThatOthersWereReading) {
  constexpr uint32_t kMemoryThread = 12345;
  Client& other = other_thread();
  ASSERT_TRUE(other.reader.try_lock(kMemoryThread));
  const DepotGuard step(heap);
  before_fork(heap);
  after_fork_in_child(heap);
  EXPECT_EQ(other.reader.owner(), 0u);
  ASSERT_TRUE(other.reader.try_lock(thread_id()));
  before_fork(heap);
  after_fork_in_child(heap);
  EXPECT_TRUE(other.reader.held_by(thread_id())) << "which goes on with it";
  other.reader.unlock(thread_id());
}

TEST_F(ForkTest, ChildStartsNoMemoryThreadForItsParentsMemory) {
  heap.options.start_bytes = size_t{4} << 20;
  void* const large = heap.depot.large().carve(size_t{16} << 20, 1);
  memset(large, 1, size_t{16} << 20);
  heap.depot.large().give(lock, large, false);
  before_fork(heap);
  after_fork_in_child(heap);
  EXPECT_LT(heap.freed_unserved, heap.options.start_bytes);
  EXPECT_GT(heap.freed_unserved, 0u) << "but soon for its own";
}

TEST_F(ForkTest, EndedThreadsHandOverByThemselves) {
  prepare_thread_ends(end_thread);
  std::thread([this] {
    void* const block = allocate(heap, 100);
    EXPECT_NE(block, nullptr);
    deallocate(heap, block);
  }).join();
  ASSERT_EQ(heap.clients.count(), 1u);
  EXPECT_EQ(heap.clients.at(0)->lease.state(), Client{}.lease.kFree);
  EXPECT_EQ(in_depot(), heap.depot.spans().class_spans(kEnding) * kClasses[kEnding].blocks);
}

}  // namespace
}  // namespace mmt::heap
