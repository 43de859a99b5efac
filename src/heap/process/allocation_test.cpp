// The heap's operations, as a program sees them, without a memory thread; and what they do when
// memory is short or pages cannot be moved.
#include "heap/process/allocation.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/sys/clock.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "heap/object/depot_guard.h"
#include "heap/object/thread_state.h"
#include "heap/process/large_blocks.h"
#include "heap/thread/attach.h"
#include "heap/thread/end_thread.h"
#include "heap/thread/entry.h"
#include "heap/thread/hand_over.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"
#include "support/refused_calls.h"
#include "support/units.h"

namespace mmt::heap {
namespace {

using test::kKiB;
using test::kMiB;
using test::lock;

using sys::fake::Call;
using test::RefusedCalls;

constexpr size_t kSizes[] = {
    0, 1, 16, 17, 1024, 1025, 8192, 40000, 256 * kKiB, 256 * kKiB + 1, kMiB, 3 * kMiB + 5};

class HeapTest : public ::testing::Test {
 protected:
  char* take(size_t bytes) { return static_cast<char*>(allocate(heap, bytes)); }
  static bool is_filled(const char* block, size_t bytes, char with) {
    return std::all_of(block, block + bytes, [with](char c) { return c == with; });
  }
  // Blocks of such a size until there is no more memory to be had.
  void exhaust(size_t bytes) {
    while (allocate(heap, bytes) != nullptr) {
    }
  }
  size_t free_blocks(size_t bytes) {
    return heap.depot.free_blocks(lock, store::class_of_size(bytes));
  }

  test::FreshHeap heap;
};

TEST_F(HeapTest, ThreadHasOneClientThoughASignalsHandlerCameFirst) {
  Client* const client = attach_client(heap);
  ASSERT_NE(client, nullptr);
  EXPECT_EQ(attach_client(heap), client) << "by the interrupted call, which saw none";
  EXPECT_EQ(heap.clients.count(), 1u);
}

TEST_F(HeapTest, NextThreadsWantsAreItsOwn) {
  for (int i = 0; i < 20000; ++i) ASSERT_NE(take(64), nullptr);
  Client* const client = thread_state.client;
  const auto taken = [client](const Client::Source& source) { return source.spans_taken != 0; };
  ASSERT_TRUE(std::any_of(client->sources, std::end(client->sources), taken));
  end_thread(heap);
  thread_state.ended = false;
  ASSERT_EQ(attach_client(heap), client) << "in the pool";
  EXPECT_TRUE(std::none_of(client->sources, std::end(client->sources), taken))
      << "what the former thread took says nothing of the next";
}

TEST_F(HeapTest, BlocksOfEverySizeAreApartAndUsable) {
  std::vector<std::pair<char*, size_t>> blocks;
  for (const size_t size : kSizes)
    for (char fill = 1; fill < 5; ++fill) {
      char* const block = take(size);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 16, 0u);
      EXPECT_TRUE(owns(heap, block));
      EXPECT_GE(usable_size(heap, block), size);
      memset(block, fill, usable_size(heap, block));
      blocks.emplace_back(block, usable_size(heap, block));
    }
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_TRUE(is_filled(blocks[i].first, blocks[i].second, static_cast<char>(1 + i % 4)));
    deallocate(heap, blocks[i].first);
  }
}

TEST_F(HeapTest, FreedBlockIsTheNextOfItsClass) {
  char* const block = take(100);
  take(100);
  deallocate(heap, block);
  EXPECT_EQ(take(110), block);
}

TEST_F(HeapTest, BlocksAreAlignedAsAsked) {
  for (size_t alignment = 16; alignment <= 8 * kMiB; alignment *= 2)
    for (const size_t size : {size_t{1}, alignment, 3 * alignment / 2}) {
      void* const block = allocate_aligned(heap, size, alignment);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0u);
      EXPECT_GE(usable_size(heap, block), size);
    }
}

TEST_F(HeapTest, ZeroedBlocksAreZeroWhateverLayThere) {
  for (const size_t size : kSizes) {
    char* const block = take(size);
    memset(block, 0x5a, usable_size(heap, block));
    deallocate(heap, block);
    const auto* const again = static_cast<char*>(allocate_zeroed(heap, size));
    ASSERT_NE(again, nullptr);
    EXPECT_TRUE(is_filled(again, size, 0)) << size;
  }
}

// Which blocks a policy of the fast paths has been shown.
struct Shown {
  static inline std::vector<void*> taken;
  static inline std::vector<void*> given;
  static inline void* refused = nullptr;
};
struct Shows {
  static void taken(void* block, size_t c) {
    EXPECT_TRUE(c == store::kLargeHead || (c != store::kNoClass && c < kClassCount));
    Shown::taken.push_back(block);
  }
  static bool given(void* block, size_t) {
    Shown::given.push_back(block);
    return block != Shown::refused;
  }
};

TEST_F(HeapTest, PolicyOfTheFastPathsSeesEachBlockOnce) {
  Shown::taken.clear();
  Shown::given.clear();
  keep_to_slow_paths(heap);
  std::vector<void*> blocks;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 500; ++i)
      blocks.push_back(allocate_checked<Shows>(heap, i % 5 == 0 ? 3000 : 40));
    blocks.push_back(allocate_checked<Shows>(heap, 2 * kMiB));
    for (void* block : blocks) EXPECT_TRUE(deallocate_checked<Shows>(heap, block));
    EXPECT_EQ(Shown::taken, blocks);
    EXPECT_EQ(Shown::given, blocks);
    Shown::taken.clear();
    Shown::given.clear();
    blocks.clear();
  }
  int foreign = 0;
  EXPECT_FALSE(deallocate_checked<Shows>(heap, &foreign));
}

TEST_F(HeapTest, BlockThatAPolicyLetsGoIsNotGivenOutAgain) {
  attach_client(heap);
  void* const first = allocate_checked<Shows>(heap, 40);
  Shown::refused = first;
  EXPECT_TRUE(deallocate_checked<Shows>(heap, first));
  Shown::refused = nullptr;
  for (int i = 0; i < 100; ++i) EXPECT_NE(allocate_checked<Shows>(heap, 40), first);
}

TEST_F(HeapTest, CachesServeAPolicyAsTheyServeNone) {
  keep_to_slow_paths(heap);
  void* const block = allocate_checked<NoChecks>(heap, 40);
  deallocate_checked<NoChecks>(heap, block);
  const uint64_t refills = thread_state.client->counters.refills.get();
  for (int i = 0; i < 1000; ++i) {
    void* const again = allocate_checked<NoChecks>(heap, 40);
    EXPECT_EQ(again, block);
    deallocate_checked<NoChecks>(heap, again);
  }
  EXPECT_EQ(thread_state.client->counters.refills.get(), refills);
}

TEST_F(HeapTest, ForeignBlocksAreLeftAlone) {
  int foreign = 0;
  EXPECT_FALSE(owns(heap, &foreign));
  EXPECT_FALSE(deallocate_slow(heap, &foreign));
  EXPECT_FALSE(owns(heap, nullptr));
}

TEST_F(HeapTest, ResizedBlocksKeepTheirContents) {
  for (const size_t from : kSizes)
    for (const size_t to : kSizes) {
      char* block = take(from);
      memset(block, 0x5a, from);
      block = static_cast<char*>(reallocate(heap, block, to));
      ASSERT_NE(block, nullptr);
      EXPECT_GE(usable_size(heap, block), to);
      EXPECT_TRUE(is_filled(block, std::min(from, to), 0x5a)) << from << " to " << to;
      deallocate(heap, block);
    }
}

TEST_F(HeapTest, BlockStaysWhereItsClassIsRight) {
  char* const block = take(100);
  EXPECT_EQ(reallocate(heap, block, 112), block);
  EXPECT_EQ(reallocate(heap, block, 97), block);
  EXPECT_NE(reallocate(heap, block, 113), block);
}

TEST_F(HeapTest, LargeBlockGrowsInPlaceWhereThereIsRoom) {
  char* const block = take(kMiB);
  EXPECT_EQ(reallocate(heap, block, 2 * kMiB), block);
  take(kMiB);
  EXPECT_NE(reallocate(heap, block, 4 * kMiB), block) << "a neighbour is in the way";
}

TEST_F(HeapTest, LargeBlockIsCopiedWhenItsPagesCannotBeMoved) {
  char* block = take(kMiB);
  take(kMiB);
  memset(block, 0x5a, kMiB);
  const RefusedCalls refused{Call::kMoveMapping};
  block = static_cast<char*>(reallocate(heap, block, 3 * kMiB));
  ASSERT_NE(block, nullptr);
  EXPECT_NE(refused.count(Call::kMoveMapping), 0u);
  EXPECT_TRUE(is_filled(block, kMiB, 0x5a));
  memset(block, 1, 3 * kMiB);
}

TEST_F(HeapTest, LargeBlockSurvivesWhenItsNewPlaceIsLost) {
  char* block = take(kMiB);
  take(kMiB);
  memset(block, 0x5a, kMiB);
  const RefusedCalls refused{Call::kMoveMapping, Call::kRenew};
  block = static_cast<char*>(reallocate(heap, block, 3 * kMiB));
  EXPECT_NE(refused.count(Call::kRenew), 0u);
  ASSERT_NE(block, nullptr) << "there is memory elsewhere";
  EXPECT_TRUE(is_filled(block, kMiB, 0x5a));
  memset(block, 1, 3 * kMiB);
}

TEST_F(HeapTest, LostPlaceIsNobodysAndHoldsNothing) {
  char* const block = take(kMiB);
  take(kMiB);
  memset(block, 0x5a, kMiB);
  const Slot place = heap.depot.region().frontier();
  const RefusedCalls refused{Call::kMoveMapping, Call::kRenew};
  ASSERT_NE(reallocate(heap, block, 3 * kMiB), nullptr);
  store::Region& region = heap.depot.region();
  const size_t lost = region.align_slot(place, sys::kHugePageSize >> store::kSlotShift);
  char* const at = region.address(static_cast<Slot>(lost));
  EXPECT_FALSE(owns(heap, at));
  EXPECT_EQ(sys::map_at(at, 3 * kMiB), sys::MapResult::kMapped) << "nothing was mapped there";
  sys::unmap(at, 3 * kMiB);
}

TEST_F(HeapTest, BlockStaysAsItWasWhenItCannotGrow) {
  char* const block = take(kMiB);
  memset(block, 0x5a, kMiB);
  const RefusedCalls refused{Call::kMapAt, Call::kMapAnywhere};
  exhaust(kMiB);
  EXPECT_EQ(reallocate(heap, block, 100 * kMiB), nullptr);
  EXPECT_TRUE(is_filled(block, kMiB, 0x5a));
}

TEST_F(HeapTest, FreshLargeBlockTakesPagesOfFreeOnesOver) {
  char* const first = take(2 * kMiB);
  memset(first, 1, 2 * kMiB);
  take(kMiB);  // keeps the two apart
  char* const second = take(2 * kMiB);
  memset(second, 1, 2 * kMiB);
  take(kMiB);
  deallocate(heap, first);
  deallocate(heap, second);
  char* const block = take(4 * kMiB);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(heap.depot.runs().dirty_bytes(), 0u);
  const Slot slot = heap.depot.region().slot_of(block);
  EXPECT_EQ(heap.depot.seams().whole_run(slot, 64), 32u) << "two runs of 2 MiB were moved";
  memset(block, 2, 4 * kMiB);
}

TEST_F(HeapTest, SparseLargeBlockTakesNoPagesOver) {
  char* const first = take(2 * kMiB);
  take(kMiB);
  char* const second = take(2 * kMiB);
  take(kMiB);
  deallocate(heap, first);
  deallocate(heap, second);
  take(4 * kMiB);
  EXPECT_EQ(heap.depot.runs().dirty_bytes(), 4 * kMiB) << "they would be lost there";
}

// What a client of another thread has sent is under way: nobody has taken it back.
TEST_F(HeapTest, SurplusUnderWayIsFoundWhenMemoryIsShort) {
  Client& other = heap.add_client();
  const std::vector<char*> span = heap.take_span(store::class_of_size(100));
  const RefusedCalls refused{Call::kMapAt, Call::kMapAnywhere};
  exhaust(kMiB);
  exhaust(100);
  heap.serve();
  const std::vector<void*> batch(span.begin(), span.begin() + 100);
  give_back(other, store::class_of_size(100), batch.data(), batch.size());
  hand_over_held(other);
  ASSERT_EQ(free_blocks(100), 0u);
  void* const block = allocate(heap, 100);
  EXPECT_EQ(std::count(batch.begin(), batch.end(), block), 1);
}

TEST_F(HeapTest, TrimGivesBackWhatTheThreadHasCached) {
  char* const large = take(kMiB);
  memset(large, 1, kMiB);
  std::vector<char*> small;
  for (int i = 0; i < 3000; ++i) small.push_back(take(200));
  for (char* block : small) deallocate(heap, block);
  deallocate(heap, large);
  EXPECT_TRUE(trim(heap));
  const store::DepotUsage usage = heap.depot.usage(lock);
  EXPECT_EQ(usage.span_bytes, 0u);
  EXPECT_EQ(usage.dirty_free_bytes, 0u);
  EXPECT_EQ(usage.free_slot_bytes, usage.frontier_bytes);
}

// As under a memory thread that was preempted while it held the lock.
TEST_F(HeapTest, FreshMemoryTakenPastABusyLockIsBounded) {
  constexpr uint32_t kStranger = 1;  // as owner of the lock: no thread of this process
  constexpr size_t kMost = kMostPastLock / kMiB + 1;
  // The second time too: the thread that waited had the lock then, and all counts anew.
  for (int time = 0; time < 2; ++time) {
    ASSERT_TRUE(heap.depot.lock().lock(kStranger));
    std::atomic<size_t> taken{0};
    std::thread taker([this, &taken] {
      for (size_t i = 0; i < 2 * kMost && take(kMiB) != nullptr; ++i) ++taken;
      end_thread(heap);
    });
    while (taken < kMost) sys::sleep_ns(sys::kNanosAMilli);
    sys::sleep_ns(50 * sys::kNanosAMilli);
    EXPECT_EQ(taken, kMost) << "the next waits";
    heap.depot.lock().unlock(kStranger);
    taker.join();
    EXPECT_EQ(taken, 2 * kMost);
  }
}

TEST_F(HeapTest, WhatWasRefusedPastABusyLockWasNotTaken) {
  constexpr uint32_t kStranger = 1;
  ASSERT_TRUE(heap.depot.lock().lock(kStranger));
  EXPECT_EQ(allocate_large(heap, size_t{1} << 62, 1), nullptr);
  EXPECT_EQ(heap.taken_past_lock, 0u);
  heap.depot.lock().unlock(kStranger);
}

TEST_F(HeapTest, EndedThreadsLeaveNothingBehind) {
  std::vector<char*> blocks(500);
  std::thread([this, &blocks] {
    for (char*& block : blocks) block = take(300);
    end_thread(heap);
  }).join();
  EXPECT_EQ(heap.clients.count(), 1u);
  for (char* block : blocks) deallocate(heap, block);
  EXPECT_EQ(heap.clients.count(), 1u) << "the client is used again";
  trim(heap);
  EXPECT_EQ(heap.depot.usage(lock).span_bytes, 0u);
}

TEST_F(HeapTest, ThreadPastItsEndIsServedWithoutAClient) {
  std::thread([this] {
    end_thread(heap);
    std::set<char*> blocks;
    for (int i = 0; i < 2000; ++i) blocks.insert(take(64));
    EXPECT_EQ(blocks.size(), 2000u);
    EXPECT_EQ(blocks.count(nullptr), 0u);
    EXPECT_EQ(heap.clients.count(), 0u);
    for (char* block : blocks) deallocate(heap, block);
    EXPECT_EQ(free_blocks(64), heap.depot.spans().class_spans(store::class_of_size(64)) *
                                   kClasses[store::class_of_size(64)].blocks);
  }).join();
}

}  // namespace
}  // namespace mmt::heap
