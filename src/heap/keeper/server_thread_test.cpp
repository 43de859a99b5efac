// The memory thread comes when it is due and leaves when it is told to; whole, with its real body.
#include "heap/keeper/server_thread.h"

#include <gtest/gtest.h>

#include <mmt/sys/cpus.h>
#include <mmt/sys/thread.h>

#include "heap/object/server_orders.h"
#include "heap/object/volume.h"
#include "heap/process/allocation.h"
#include "support/fresh_heap.h"
#include "sys/fake/manual_clock.h"

namespace mmt::heap {
namespace {

class ServerThreadTest : public testing::Test {
 protected:
  ServerThreadTest() {
    heap.options.server = Switch::kAuto;
    heap.options.start_bytes = kStart;
    adopt_process(heap);
    sys::fake::set_time_a_look(1000);
  }
  ~ServerThreadTest() override {
    stop_server(heap);
    sys::fake::set_time_a_look(0);
  }
  bool is_at_work() {
    const auto state = heap.server.state();
    return state == heap.server.kRunning || state == heap.server.kKeeping;
  }
  void wait_for_it() {
    while (!is_at_work()) sys::yield();
  }

  static constexpr uint64_t kStart = 1 << 20;
  test::FreshHeap heap;
};

TEST_F(ServerThreadTest, ComesWhenSoMuchWasFetched) {
  count_volume(heap, kStart - 1);
  EXPECT_EQ(heap.server.state(), heap.server.kNotStarted);
  count_volume(heap, 1);
  wait_for_it();
  EXPECT_NE(heap.server_thread, 0u);
}

TEST_F(ServerThreadTest, ComesForWhoOnlyFrees) {
  count_freed(heap, kStart);
  wait_for_it();
}

TEST_F(ServerThreadTest, LeavesWhenItIsToldAndComesAgain) {
  EXPECT_EQ(stop_server(heap), 0u) << "there is none";
  start_server_early(heap);
  wait_for_it();
  const uint32_t first = heap.server_thread;
  EXPECT_EQ(stop_server(heap), first);
  EXPECT_EQ(heap.server.state(), heap.server.kNotStarted);
  EXPECT_EQ(heap.server_thread, 0u);
  start_server_early(heap);
  wait_for_it();
}

TEST_F(ServerThreadTest, TakesSurplusBack) {
  if (sys::affinity_cpus() < 2) GTEST_SKIP() << "one CPU";
  heap.options.drain = Switch::kOn;
  start_server_early(heap);
  wait_for_it();
  std::vector<void*> blocks;
  for (int i = 0; i < 20'000; ++i) blocks.push_back(allocate(heap, 100));
  for (void* const block : blocks) deallocate(heap, block);
  while (heap.server_counters.batches.get() == 0) sys::yield();
}

TEST_F(ServerThreadTest, NoneComesWhereItIsSwitchedOff) {
  heap.options.server = Switch::kOff;
  start_server_early(heap);
  EXPECT_EQ(heap.server.state(), heap.server.kAway);
}

TEST_F(ServerThreadTest, NoneComesOnceThatWasSaid) {
  start_no_server(heap, false);
  start_server_early(heap);
  EXPECT_EQ(heap.server.state(), heap.server.kAway);
  reset_server_in_child(heap);
  start_server_early(heap);
  wait_for_it();
}

TEST_F(ServerThreadTest, NoneComesInChildrenEitherWhereThatWasSaid) {
  start_no_server(heap, true);
  reset_server_in_child(heap);
  count_volume(heap, kStart);
  EXPECT_EQ(heap.server.state(), heap.server.kAway);
}

TEST_F(ServerThreadTest, PostponedItComesLater) {
  count_volume(heap, kStart / 2);
  postpone_server(heap);
  count_volume(heap, kStart);
  EXPECT_EQ(heap.server.state(), heap.server.kNotStarted);
  reconsider_server(heap);
  count_volume(heap, 1);
  wait_for_it();
}

TEST_F(ServerThreadTest, AWishForALookIsGrantedOnce) {
  EXPECT_FALSE(is_asked_to_look(heap));
  ask_server_to_look(heap);
  EXPECT_TRUE(is_asked_to_look(heap));
  EXPECT_FALSE(is_asked_to_look(heap));
}

}  // namespace
}  // namespace mmt::heap
