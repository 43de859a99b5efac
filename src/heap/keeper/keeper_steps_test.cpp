// The memory thread's steps, each by itself, on the clock of the test.
#include "heap/keeper/keeper_steps.h"

#include <vector>

#include <gtest/gtest.h>

#include "heap/keeper/pace.h"
#include "heap/process/allocation.h"
#include "heap/thread/hand_over.h"
#include "support/dense_class.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"
#include "support/units.h"
#include "sys/fake/manual_clock.h"

namespace mmt::heap {
namespace {

using test::kMiB;
using test::kMs;
using test::kSecond;

constexpr SizeClass kKept = store::class_of_size(100);
constexpr uint32_t kMemoryThread = 1;

class KeeperStepsTest : public testing::Test {
 protected:
  KeeperStepsTest() {
    heap.serve();
    heap.cpus = 2;
    round.self = kMemoryThread;
    round.clients.open(kMemoryThread);
    sys::fake::set_time_a_look(1000);
  }
  ~KeeperStepsTest() override { sys::fake::set_time_a_look(0); }
  void send(size_t count) {
    Client& client = heap.add_client();
    const std::vector<char*> span = heap.take_span(kKept);
    const std::vector<void*> blocks(span.begin(), span.begin() + static_cast<ptrdiff_t>(count));
    give_back(client, kKept, blocks.data(), count);
    hand_over_held(client);
  }

  void pass(uint64_t ns) {
    sys::fake::set_time_a_look(ns);
    sys::monotonic_ns();
    sys::fake::set_time_a_look(1000);
  }

  test::HeldLock lock;
  test::FreshHeap heap;
  KeeperRound round{heap};
};

TEST_F(KeeperStepsTest, DrainTakesSurplusBack) {
  Drain drain(round);
  EXPECT_LT(drain.wait(0), 0);
  send(200);
  EXPECT_EQ(drain.wait(0), 0);
  EXPECT_TRUE(drain.run(sys::monotonic_ns()));
  EXPECT_LT(drain.wait(0), 0);
  EXPECT_FALSE(drain.is_amid());
  EXPECT_EQ(heap.depot.free_blocks(lock, kKept), 200u);
}

TEST_F(KeeperStepsTest, DrainEndsItsTurnThoughMoreComes) {
  sys::fake::set_time_a_look(Pace::kNapNs);  // all takes long
  Drain drain(round);
  send(10);
  EXPECT_TRUE(drain.run(sys::monotonic_ns()));
  EXPECT_TRUE(drain.is_amid());
  EXPECT_EQ(drain.wait(0), 0);
}

TEST_F(KeeperStepsTest, DrainStandsBackWhereItGetsNoCpu) {
  Drain drain(round);
  EXPECT_FALSE(heap.watermarks.refuses_surplus());
  round.may_open_files = true;
  round.online_cpus = 0;  // whatever runs is too much
  drain.run(kSecond);
  EXPECT_TRUE(heap.watermarks.refuses_surplus());
}

TEST_F(KeeperStepsTest, DrainWaitsForAnEndedThreadsClient) {
  Client& client = heap.add_client();
  client.zombie_since.set(sys::monotonic_ns());
  client.lease.leave();
  const Drain drain(round);
  EXPECT_GT(drain.wait(0), 0) << "also one that ended since the last look";
}

TEST_F(KeeperStepsTest, CollectHasWorkWhileBlocksRest) {
  Collect collect(round);
  EXPECT_LT(collect.wait(0), 0);
  for (char* block : heap.take_span(kKept)) heap.depot.returned().add(block);
  EXPECT_EQ(collect.wait(0), 0);
  EXPECT_TRUE(collect.run(0));
  EXPECT_LT(collect.wait(0), 0);
}

class PrefaultStepTest : public KeeperStepsTest {
 protected:
  PrefaultStepTest() {
    heap.options.prefault = true;
    heap.options.prefault_bytes = 64 * kMiB;
    heap.options.huge_pages = Switch::kOff;
    test::make_dense(heap, kKept);
    test::grow(heap, 128 * kMiB, kKept);
    prefault.run(0);
    pass(2 * kMs);
    test::grow(heap, 64 * kMiB, kKept);
    frontier = size_t{heap.depot.region().frontier()} << store::kSlotShift;
  }

  Prefault prefault{round};
  size_t frontier = 0;
};

TEST_F(PrefaultStepTest, PreparesForWhoGrowsAllThatPaysAtOnce) {
  EXPECT_TRUE(prefault.run(0));
  EXPECT_GT(heap.depot.prepared().through(), frontier);
  EXPECT_LT(prefault.wait(0), 0) << "a watermark wakes it";
  EXPECT_FALSE(prefault.run(0));
}

TEST_F(PrefaultStepTest, StopsWhereItIsToLeave) {
  heap.keeper.thread.ask_to_leave(kMemoryThread);
  EXPECT_FALSE(prefault.run(0));
}

TEST_F(KeeperStepsTest, PurgeWaitsUntilFreeMemoryHasAged) {
  Purge purge(round);
  purge.open(kSecond);
  EXPECT_LT(purge.wait(0), 0);
  void* const block = heap.depot.large().carve(kMiB, 1);
  memset(block, 1, kMiB);
  purge.run(kSecond);
  heap.depot.large().give(lock, block, false);
  const int64_t wait = purge.wait(kSecond);
  EXPECT_GT(wait, 0);
  EXPECT_LE(wait, static_cast<int64_t>(kSecond));
  for (uint64_t now = 2 * kSecond; now <= 4 * kSecond; now += kSecond) purge.run(now);
  EXPECT_EQ(heap.depot.runs().dirty_bytes(), 0u);
}

TEST_F(KeeperStepsTest, PurgeStopsWhereItIsToLeave) {
  Purge purge(round);
  purge.open(0);
  heap.keeper.thread.ask_to_leave(kMemoryThread);
  EXPECT_FALSE(purge.run(kSecond));
}

TEST_F(KeeperStepsTest, SweepLooksAfterUse) {
  heap.can_sweep = true;
  Sweep sweep(round);
  sweep.open(kSecond);
  EXPECT_GT(sweep.wait(sys::monotonic_ns()), 0) << "it begins with a look";
  // Nobody has used the heap: after some looks there is nothing to look for.
  uint64_t now = sys::monotonic_ns();
  for (int looks = 0; looks < 5; ++looks) sweep.run(now += 2 * kSecond);
  EXPECT_LT(sweep.wait(now), 0);
  round.worked = true;
  sweep.run(now);
  EXPECT_GT(sweep.wait(now), 0);
}

struct Looks {
  static inline int count = 0;
  static uint64_t look(Heap&, uint32_t self, uint64_t now, bool urgent) {
    EXPECT_EQ(self, kMemoryThread);
    EXPECT_TRUE(urgent);
    ++count;
    return now + kSecond;
  }
};

TEST_F(KeeperStepsTest, ObserveLooksWhenItIsDueOrToldTo) {
  Looks::count = 0;
  heap.observer = Looks::look;
  Observe observe(round);
  EXPECT_FALSE(observe.run(kSecond));
  EXPECT_EQ(Looks::count, 1);
  observe.run(2 * kSecond - 1);
  EXPECT_EQ(Looks::count, 1);
  observe.run(2 * kSecond);
  EXPECT_EQ(Looks::count, 2);
  observe.look(2 * kSecond);
  EXPECT_EQ(Looks::count, 3);
}

TEST_F(KeeperStepsTest, NobodyIsAskedSoonAgainWhereNobodyWantsToLook) {
  Observe observe(round);
  observe.run(kSecond);
  Looks::count = 0;
  heap.observer = Looks::look;
  observe.run(kSecond + 1);
  EXPECT_EQ(Looks::count, 0);
  observe.run(2 * kSecond);
  EXPECT_EQ(Looks::count, 1);
}

static_assert(!HouseSteps::kHas<Drain> && !HouseSteps::kHas<Prefault>, "nobody is served");

}  // namespace
}  // namespace mmt::heap
