// Every block that leaves a thread is inspected once, whichever way it goes: by the memory
// thread while it serves, the depot's lock not held. The heap is compiled with a check of the
// test's (tests/inspected).
#include "heap/gates/inspection.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sys/thread.h>

#include "heap/gates/leave.h"
#include "heap/keeper/client_service.h"
#include "heap/keeper/sweeper.h"
#include "heap/object/thread_state.h"
#include "heap/process/allocation.h"
#include "heap/process/block_run.h"
#include "heap/thread/cpu_caches.h"
#include "heap/thread/end_thread.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"
#include "support/units.h"

namespace mmt::test {
namespace {

struct Seen {
  std::mutex mutex;
  std::vector<void*> blocks;
  uint32_t by_others = 0;  // than the memory thread
  uint32_t in_use = 0;     // by the program
  bool with_the_lock = false;
};
Seen seen;
std::atomic<uint32_t> memory_thread{0};

// Which 16 bytes of the region's first the program has, where that is noted.
constexpr size_t kNotedBytes = size_t{64} << 20;
std::vector<std::atomic<bool>> in_use(kNotedBytes / 16);
std::atomic<bool>* use_of(heap::Heap& heap, const void* block) {
  const auto offset =
      static_cast<size_t>(static_cast<const char*>(block) - heap.depot.region().base());
  return offset < kNotedBytes ? &in_use[offset / 16] : nullptr;
}

}  // namespace

void SeenBlocks::see(heap::Heap& heap, const heap::Batch& batch) {
  const std::lock_guard guard(seen.mutex);
  const uint32_t self = sys::current_thread_id();
  seen.with_the_lock |= heap.depot.lock().held_by(self);
  batch.for_each([&](void* block) {
    seen.blocks.push_back(block);
    if (const auto* use = use_of(heap, block)) seen.in_use += *use;
    seen.by_others += self != memory_thread;
  });
}

}  // namespace mmt::test

namespace mmt::heap {
namespace {

using test::kSecond;
using test::memory_thread;
using test::seen;
using test::use_of;

using Blocks = std::vector<void*>;

constexpr uint32_t kAnyThread = 1;

class InspectionTest : public ::testing::Test {
 protected:
  InspectionTest() {
    seen.blocks.clear();
    seen.by_others = seen.in_use = 0;
    seen.with_the_lock = false;
    heap.serve(Switch::kAuto);
  }

  Blocks take(size_t bytes, size_t count) {
    Blocks blocks(count);
    for (void*& block : blocks) block = allocate(heap, bytes);
    return blocks;
  }
  void free_all(const Blocks& blocks) {
    for (void* block : blocks) deallocate(heap, block);
  }

  // What the memory thread does, until there is nothing to do.
  void work(bool sweeps = false) {
    std::thread([&] {
      const uint32_t self = sys::current_thread_id();
      memory_thread = self;
      ClientService service(heap);
      service.open(self);
      bool worked = true;
      while (worked) {
        worked = service.serve_all(ClientService::Look::kLast);
        worked |= service.collect_returned();
        worked |= sweeps && sweep(self);
      }
      memory_thread = 0;
    }).join();
  }
  bool sweep(uint32_t self) {
    if (!is_open) sweeper.open(0, self);
    is_open = true;
    now += 2 * kSecond;
    sweeper.note_use(now - kSecond - 1);
    return sweeper.run(now);
  }

  enum class By { kMemoryThread, kAnybody };
  // Whatever was seen was so once, these among it, and all is the depot's now.
  void expect_seen(Blocks freed, By by = By::kMemoryThread) {
    std::sort(freed.begin(), freed.end());
    Blocks& all = seen.blocks;
    std::sort(all.begin(), all.end());
    const auto twice = std::adjacent_find(all.begin(), all.end());
    EXPECT_TRUE(twice == all.end()) << *twice << " of " << usable_size(heap, *twice);
    EXPECT_TRUE(std::includes(all.begin(), all.end(), freed.begin(), freed.end()));
    if (by == By::kMemoryThread) {
      EXPECT_EQ(seen.by_others, 0u);
    }
    EXPECT_FALSE(seen.with_the_lock);
    EXPECT_FALSE(has_resting(heap));
    for (SizeClass c = 1; c < kClassCount; ++c)
      EXPECT_EQ(heap.depot.free_blocks(lock, c),
                heap.depot.spans().class_spans(c) * kClasses[c].blocks)
          << c;
  }
  // The calling thread has used the heap for the last time.
  void end() {
    end_thread(heap);
    thread_state.ended = false;
  }

  test::HeldLock lock;
  test::FreshHeap heap;
  Sweeper sweeper{heap};
  bool is_open = false;
  uint64_t now = 100 * kSecond;
};

TEST_F(InspectionTest, WhatGoesByTheChannel) {
  const Blocks blocks = take(200, 3000);
  free_all(blocks);
  work();
  EXPECT_GT(seen.blocks.size(), blocks.size() / 2);
  end();
  work();
  expect_seen(blocks);
}

TEST_F(InspectionTest, WhatAnEndedThreadHadCached) {
  const Blocks blocks = take(200, 20);
  free_all(blocks);
  EXPECT_TRUE(seen.blocks.empty());
  end();
  work();
  expect_seen(blocks);
}

TEST_F(InspectionTest, WhatNoChannelHolds) {
  const Blocks blocks = take(16, 20 * kClasses[1].blocks);
  ASSERT_GT(blocks.size(), size_t{kRingCapacity});
  free_all(blocks);
  end();
  work();
  expect_seen(blocks);
}

TEST_F(InspectionTest, WhatTheClientReadsItself) {
  const Blocks blocks = take(4096, 4000);  // more than may be under way
  free_all(blocks);
  end();
  work();
  expect_seen(blocks, By::kAnybody);
}

TEST_F(InspectionTest, WhatIsFreedTogether) {
  const Blocks blocks = take(48, 1000);
  EXPECT_EQ(deallocate_run(heap, blocks.data(), blocks.size()), blocks.size());
  end();
  work();
  expect_seen(blocks);
}

TEST_F(InspectionTest, WhatAThreadWithoutAClientFrees) {
  const Blocks blocks = take(100, 50);
  end_thread(heap);
  free_all(blocks);
  const Blocks more = take(100, 3);  // of a span that is carved for it
  free_all(more);
  thread_state.ended = false;
  work();
  Blocks all = blocks;
  all.insert(all.end(), more.begin(), more.end());
  expect_seen(all);
}

TEST_F(InspectionTest, WhatIsSweptFromAnIdleThread) {
  if (!sys::prepare_barrier() || !sys::prepare_restarts()) GTEST_SKIP() << "sequences stay";
  heap.can_sweep = true;
  const Blocks blocks = take(300, 20);
  free_all(blocks);
  work(true);  // notes them
  work(true);
  EXPECT_GE(seen.blocks.size(), blocks.size());
  end();
  work();
  expect_seen(blocks);
}

// Little of theirs may be under way: they read it themselves.
TEST_F(InspectionTest, WhatThriftyThreadsFree) {
  heap.thrifty = true;
  const Blocks blocks = take(300, 500);
  free_all(blocks);
  end();
  work();
  empty_cpu_caches(heap, kAnyThread, CpuCacheKind::kAll);
  expect_seen(blocks, By::kAnybody);
}

TEST_F(InspectionTest, WhatBecomesThriftyLater) {
  const Blocks blocks = take(300, 500);
  heap.thrifty = true;
  free_all(blocks);
  end();
  work();
  empty_cpu_caches(heap, kAnyThread, CpuCacheKind::kAll);
  expect_seen(blocks, By::kAnybody);
}

TEST_F(InspectionTest, LargeOnes) {
  const Blocks blocks = take(size_t{1} << 20, 5);
  free_all(blocks);
  EXPECT_TRUE(seen.blocks.empty());
  EXPECT_TRUE(has_resting(heap));
  work();
  end();
  expect_seen(blocks);
}

TEST_F(InspectionTest, WhatReallocLeaves) {
  Blocks blocks;
  for (size_t bytes : {100, 5000, 70'000, 400'000, 3'000'000, 20'000'000, 300'000, 2000}) {
    blocks.push_back(blocks.empty() ? allocate(heap, bytes)
                                    : reallocate(heap, blocks.back(), bytes));
    ASSERT_NE(blocks.back(), nullptr);
    // Those that became large are another block's place at once.
    work();
  }
  free_all({blocks.back()});
  end();
  work();
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  EXPECT_GE(blocks.size(), 5u);
  for (void* block : blocks)
    EXPECT_GE(std::count(seen.blocks.begin(), seen.blocks.end(), block), 1) << block;
  EXPECT_FALSE(has_resting(heap));
}

// The memory thread is late, and the program must not run out of address space.
TEST_F(InspectionTest, LargeOnesRestWithinABound) {
  const store::Region& region = heap.depot.region();
  for (int round = 0; round < 1000; ++round) free_all(take(size_t{1} << 20, 1));
  EXPECT_GT(seen.by_others, 900u);
  EXPECT_LE(size_t{region.frontier() - region.first()} << store::kSlotShift,
            2 * Uninspected::kFloor);
  EXPECT_TRUE(has_resting(heap));
  seen.blocks.clear();
  work();
  EXPECT_GE(seen.blocks.size(), (Uninspected::kFloor >> 20) - 1);
  end();
  EXPECT_FALSE(has_resting(heap));
}

TEST_F(InspectionTest, SmallOnesRestWithinABound) {
  end_thread(heap);  // what a thread without a client frees rests
  for (int round = 0; round < 3000; ++round) free_all(take(16 << 10, 1));
  EXPECT_GT(seen.by_others, 0u);
  EXPECT_LE(heap.depot.spans().class_spans(store::class_of_size(16 << 10)) *
                kClasses[store::class_of_size(16 << 10)].blocks,
            3 * Uninspected::kFloor / (16 << 10));
  thread_state.ended = false;
  work();
  EXPECT_FALSE(has_resting(heap));
}

TEST_F(InspectionTest, WhatRestedAsTheMemoryThreadLeft) {
  const Blocks blocks = take(size_t{1} << 20, 5);
  free_all(blocks);
  EXPECT_TRUE(has_resting(heap));
  heap.server.stay_away();
  const Blocks more = take(size_t{1} << 20, 1);
  free_all(more);
  EXPECT_FALSE(has_resting(heap)) << "who frees next looks";
  end();
  expect_seen(blocks, By::kAnybody);
}

TEST_F(InspectionTest, ThoseWithMappingsOfTheirOwn) {
  const Blocks blocks = take(size_t{300} << 20, 1);
  free_all(blocks);
  EXPECT_TRUE(seen.blocks.empty());
  EXPECT_TRUE(owns(heap, blocks[0]));
  work();
  end();
  EXPECT_FALSE(owns(heap, blocks[0]));
  expect_seen(blocks);
}

TEST_F(InspectionTest, MoreMappingsThanMayRest) {
  const Blocks blocks = take(size_t{300} << 20, 5);
  free_all(blocks);
  EXPECT_EQ(seen.blocks.size(), 4u) << "by who frees them: one may rest, however large";
  work();
  end();
  expect_seen(blocks, By::kAnybody);
}

TEST_F(InspectionTest, WithoutAMemoryThreadWhoFreesLooks) {
  heap.server.stay_away();
  Blocks blocks = take(200, 3000);
  for (void* block : take(size_t{1} << 20, 3)) blocks.push_back(block);
  blocks.push_back(allocate(heap, size_t{300} << 20));
  free_all(blocks);
  end();
  expect_seen(blocks, By::kAnybody);
}

TEST_F(InspectionTest, NothingThatIsInUse) {
  std::atomic<bool> stop{false};
  std::thread server([&] {
    const uint32_t self = sys::current_thread_id();
    memory_thread = self;
    ClientService service{heap};
    service.open(self);
    while (!stop) {
      service.serve_all();
      service.collect_returned();
    }
  });
  std::mt19937 random(4);
  Blocks live;
  bool grows = true;
  for (int step = 0; step < 300'000; ++step) {
    if (live.size() == (grows ? 10'000 : 100)) grows = !grows;
    if (grows) {
      void* const block = allocate(heap, random() % 50 == 0 ? 20'000 : random() % 600);
      if (auto* use = use_of(heap, block)) *use = true;
      live.push_back(block);
      continue;
    }
    std::swap(live[random() % live.size()], live.back());
    if (auto* use = use_of(heap, live.back())) *use = false;
    deallocate(heap, live.back());
    live.pop_back();
  }
  stop = true;
  server.join();
  EXPECT_GT(seen.blocks.size(), 10'000u);
  EXPECT_EQ(seen.in_use, 0u);
  EXPECT_FALSE(seen.with_the_lock);
  for (void* block : live)
    if (auto* use = use_of(heap, block)) *use = false;
  free_all(live);
  end();
  work();
}

TEST_F(InspectionTest, WhatIsGatheredWhenMemoryIsShort) {
  const Blocks blocks = take(200, 3000);
  free_all(blocks);
  trim(heap);
  end();
  work();
  expect_seen(blocks, By::kAnybody);
}

}  // namespace
}  // namespace mmt::heap
