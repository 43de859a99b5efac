// Sweeping what idle clients hold, also while their threads come back at any moment.
#include "heap/keeper/sweeper.h"

#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sys/thread.h>

#include "heap/process/allocation.h"
#include "heap/thread/end_thread.h"
#include "heap/thread/hand_over.h"
#include "heap/thread/holders.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"
#include "support/units.h"

namespace mmt::heap {
namespace {

using test::kSecond;
using test::lock;

constexpr size_t kSize = 300;

class SweeperTest : public ::testing::Test {
 protected:
  SweeperTest() {
    if (!sys::prepare_barrier() || !sys::prepare_restarts()) return;
    heap.can_sweep = true;
    sweeper.open(0, sys::current_thread_id());
  }
  void SetUp() override {
    if (!heap.can_sweep) GTEST_SKIP() << "the kernel cannot restart sequences";
  }
  bool look() {
    now += 2 * kSecond;
    sweeper.note_use(now - kSecond - 1);
    return sweeper.run(now);
  }
  std::vector<void*> take(size_t count) {
    std::vector<void*> blocks(count);
    for (void*& block : blocks) block = allocate(heap, kSize);
    return blocks;
  }
  // Atomic for ThreadSanitizer, which does not know the sweeper's barrier.
  static uint32_t load(const uint32_t* word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
  static void store(uint32_t* word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
  }
  void give(const std::vector<void*>& blocks) {
    for (void* block : blocks) deallocate(heap, block);
  }

  test::FreshHeap heap;
  Sweeper sweeper{heap};
  uint64_t now = 100 * kSecond;
};

TEST_F(SweeperTest, IdleClientIsEmptiedAtTheSecondLook) {
  give(take(500));
  Client& client = *heap.clients.at(0);
  ASSERT_TRUE(client.holds);
  EXPECT_FALSE(look());
  EXPECT_TRUE(client.holds);
  EXPECT_TRUE(look());
  EXPECT_FALSE(client.holds);
  EXPECT_EQ(heap.holders, 0u);
  EXPECT_EQ(heap.depot.usage(lock).span_bytes, 0u);
  EXPECT_FALSE(look()) << "nothing is left";
  EXPECT_LT(sweeper.wait_ns(now), 0) << "until somebody uses the heap";
}

TEST_F(SweeperTest, ItsThreadGoesOnAfterwards) {
  const auto kept = take(100);
  give(take(500));
  look();
  ASSERT_TRUE(look());
  const auto blocks = take(500);
  for (void* block : blocks)
    for (void* other : kept) ASSERT_NE(block, other);
  give(blocks);
  give(kept);
  EXPECT_TRUE(heap.clients.at(0)->holds);
}

TEST_F(SweeperTest, ClientThatIsUsedIsLeftAlone) {
  look();
  for (int i = 0; i < 5; ++i) {
    give(take(500 + static_cast<size_t>(i)));
    auto one = take(static_cast<size_t>(i) + 1);
    EXPECT_FALSE(look());
    give(one);
  }
}

TEST_F(SweeperTest, SurplusGoesBackToo) {
  heap.serve();
  Client& client = heap.add_client();
  const SizeClass c = store::class_of_size(kSize);
  const auto blocks = heap.take_span(c);
  ASSERT_GE(blocks.size(), 100u);
  std::vector<void*> some(blocks.begin(), blocks.end());
  now_holds(client);
  give_back(client, c, some.data(), some.size());
  look();
  EXPECT_TRUE(look());
  EXPECT_EQ(heap.depot.usage(lock).span_bytes, 0u);
}

TEST_F(SweeperTest, OpenEntryKeepsItsClient) {
  give(take(500));
  Client& client = *heap.clients.at(0);
  client.busy_frame.store(1);
  look();
  EXPECT_FALSE(look());
  EXPECT_TRUE(client.holds);
  client.busy_frame.store(0);
  give(take(10));
}

TEST_F(SweeperTest, ChildUndoesWhatWasUnderWay) {
  give(take(50));
  Client& client = *heap.clients.at(0);
  const SizeClass c = store::class_of_size(kSize);
  const uint32_t cached = client.cached(c);
  ASSERT_GT(cached, 0u);
  client.swept_now.store(true);
  client.sources[c].swept_top = client.fast.top[c];
  client.fast.top[c] = &swept_entry;
  for (SizeClass each = 1; each < kClassCount; ++each) client.fast.limit[each] = nullptr;
  undo_sweep_in_child(client);
  EXPECT_EQ(client.cached(c), cached);
  EXPECT_GE(client.cache_limit(c), cached);
  give(take(50));
}

// Looks that follow each other at once find threads idle which only wait for a CPU, amid any
// instruction of theirs.
TEST_F(SweeperTest, NoBlockHasTwoOwners) {
  constexpr int kThreads = 6;
  constexpr int kSteps = 60000;
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([this, t, &running] {
      std::minstd_rand random(static_cast<unsigned>(t) + 1);
      std::vector<uint32_t*> blocks(64);
      for (int step = 0; step < kSteps; ++step) {
        uint32_t*& block = blocks[random() % blocks.size()];
        const auto mine = static_cast<uint32_t>(t * 1000 + 1);
        if (block != nullptr) {
          ASSERT_EQ(load(block), mine);
          store(block, 0);
          deallocate(heap, block);
          block = nullptr;
        } else {
          block = static_cast<uint32_t*>(allocate(heap, 16 << random() % 6));
          store(block, mine);
        }
        if (step % 1000 == 0) sys::sleep_ns(100000);
      }
      for (uint32_t* block : blocks)
        if (block != nullptr) deallocate(heap, block);
      end_thread(heap);
      --running;
    });
  while (running != 0) look();
  for (auto& thread : threads) thread.join();
  trim(heap);
  EXPECT_EQ(heap.depot.usage(lock).span_bytes, 0u) << "nothing was lost";
}

}  // namespace
}  // namespace mmt::heap
