// Watermarks: one of those that pass one wakes the memory thread, once.
#include "heap/object/watermarks.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sys/thread.h>

#include "heap/process/allocation.h"
#include "heap/thread/hand_over.h"
#include "support/fresh_heap.h"

namespace mmt::heap {
namespace {

TEST(WatermarksTest, AreClearedByWhoPassesThem) {
  Watermarks marks{};
  marks.set(1000, true);
  EXPECT_FALSE(marks.passes_frontier(999));
  EXPECT_TRUE(marks.passes_frontier(1000));
  EXPECT_FALSE(marks.passes_frontier(2000));
  EXPECT_TRUE(marks.passes_surplus());
  EXPECT_FALSE(marks.passes_surplus());
}

TEST(WatermarksTest, NoneIsPassedWhereNoneIsSet) {
  Watermarks marks{};
  marks.clear();
  EXPECT_FALSE(marks.passes_frontier(Watermarks::kNone - 1));
  EXPECT_FALSE(marks.passes_surplus());
}

TEST(WatermarksTest, FreshMemoryPassesTheFrontiers) {
  test::FreshHeap heap;
  heap.watermarks.set(size_t{1} << 20, false);
  while (size_t{heap.depot.region().frontier()} << store::kSlotShift < size_t{2} << 20)
    ASSERT_NE(allocate(heap, 4096), nullptr);
  EXPECT_FALSE(heap.watermarks.passes_frontier(Watermarks::kNone - 1)) << "it is cleared";
}

// A thread that sleeps as the memory thread does.
class Sleeper {
 public:
  explicit Sleeper(Heap& heap)
      : heap_(heap), thread_([&heap] { heap.parker.nap(3600'000'000'000); }) {
    while (!sleeps()) sys::yield();
  }
  ~Sleeper() {
    heap_.wake();
    thread_.join();
  }
  bool sleeps() const { return heap_.parker.state() == heap_.parker.kNapping; }

 private:
  Heap& heap_;
  std::thread thread_;
};

TEST(WatermarksTest, FirstSurplusWakesTheMemoryThread) {
  test::FreshHeap heap;
  heap.serve();
  std::vector<void*> blocks;
  for (int i = 0; i < 20'000; ++i) blocks.push_back(allocate(heap, 16));
  heap.watermarks.set(Watermarks::kNone, true);
  const Sleeper sleeper(heap);
  for (void* block : blocks) deallocate(heap, block);
  EXPECT_FALSE(sleeper.sleeps());
}

TEST(WatermarksTest, HalfAChannelIsLeftToOneThatMayNotBeWoken) {
  test::FreshHeap heap;
  heap.serve();
  std::vector<void*> blocks;
  for (int i = 0; i < 200'000; ++i) blocks.push_back(allocate(heap, 16));
  heap.watermarks.clear();
  const Sleeper sleeper(heap);
  for (void* block : blocks) deallocate(heap, block);
  EXPECT_TRUE(sleeper.sleeps());
  const Client& client = *heap.clients.at(0);
  EXPECT_LE(client.surplus.size_hint(), kRingCapacity * 3 / 4);
  EXPECT_LT(heap.depot.spans().class_spans(store::class_of_size(16)), 25u) << "of 50";
}

// While a thread takes something down, and a CPU is free.
class Teardown : public testing::Test {
 protected:
  void SetUp() override {
    heap.serve(Switch::kAuto);
    heap.cpus = 2;
    for (int i = 0; i < 20'000; ++i) blocks_.push_back(allocate(heap, 64));
  }
  // How many words are in the channel afterwards.
  uint32_t on_its_way() {
    Client& client = *heap.clients.at(0);
    hand_over_held(client);
    return client.surplus.size_hint();
  }
  void take_down() {
    for (void* block : blocks_) deallocate(heap, block);
  }

  test::FreshHeap heap;
  std::vector<void*> blocks_;
};

TEST_F(Teardown, GoesByTheChannel) {
  take_down();
  EXPECT_GT(on_its_way(), 10'000u);
}

TEST_F(Teardown, DoesNotWhileBlocksComeAndGo) {
  std::vector<void*> others;
  for (size_t i = 0; i < blocks_.size(); i += 500) {
    for (size_t k = i; k < i + 500; ++k) deallocate(heap, blocks_[k]);
    for (int k = 0; k < 500; ++k) others.push_back(allocate(heap, 4000));
  }
  EXPECT_EQ(on_its_way(), 0u);
}

TEST_F(Teardown, DoesNotWhereNoCpuIsFree) {
  heap.holders = heap.cpus;
  take_down();
  EXPECT_EQ(on_its_way(), 0u);
}

TEST_F(Teardown, DoesNotWhereSurplusIsRefused) {
  heap.watermarks.refuse_surplus(true);
  take_down();
  EXPECT_EQ(on_its_way(), 0u);
}

TEST_F(Teardown, IsOverBeforeMoreIsTaken) {
  take_down();
  ASSERT_GT(on_its_way(), 0u);
  for (int i = 0; i < 2'000; ++i) ASSERT_NE(allocate(heap, 300), nullptr);
  EXPECT_EQ(on_its_way(), 0u);
  EXPECT_LE(heap.depot.spans().class_spans(store::class_of_size(64)), 1u) << "of what is cached";
}

}  // namespace
}  // namespace mmt::heap
