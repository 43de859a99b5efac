// What goes back to the OS, and when, by the time that the caller states.
#include "heap/keeper/purger.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "heap/object/heap.h"
#include "heap/pages/page_hooks.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"
#include "support/refused_calls.h"
#include "support/units.h"

namespace mmt::heap {
namespace {

using test::kMiB;
using test::lock;

constexpr uint32_t kSelf = 1;
constexpr uint64_t kStart = 1000000000000;
constexpr uint64_t kDecay = 1000000000;
constexpr uint64_t kNever = kDecay * 1000000;
constexpr uint64_t kExcessInterval = Purger::kExcessIntervalNs;
constexpr size_t kFloor = Purger::kDirtyFloor;

class PurgerTest : public ::testing::Test {
 protected:
  // A block whose every page holds memory.
  char* take(size_t bytes) {
    store::CleanParts clean;
    auto* block = static_cast<char*>(heap.depot.large().take(lock, bytes, 1, &clean));
    if (block == nullptr) block = static_cast<char*>(heap.depot.large().carve(bytes, 1));
    EXPECT_NE(block, nullptr);
    for (size_t i = 0; i < bytes; i += sys::kPageSize) block[i] = 1;
    return block;
  }
  void give(void* block) { heap.depot.large().give(lock, block); }
  size_t dirty() { return heap.depot.runs().dirty_bytes(); }

  // All that is to be done at `now`.
  void run_all(uint64_t now) {
    while (purger.run(now)) {
    }
  }

  test::FreshHeap heap;
  Purger purger{heap};
};

TEST_F(PurgerTest, WithoutFreeMemoryThereIsNothingToDo) {
  purger.open(kDecay, kSelf);
  take(kMiB);
  EXPECT_FALSE(purger.run(kStart));
  EXPECT_EQ(purger.wait_ns(kStart), -1);
}

TEST_F(PurgerTest, MemoryGoesAfterAWholeDecayInterval) {
  purger.open(kDecay, kSelf);
  char* const block = take(kMiB);
  give(block);
  purger.run(kStart);  // marks it
  EXPECT_EQ(dirty(), kMiB);
  EXPECT_EQ(purger.wait_ns(kStart), static_cast<int64_t>(kDecay));
  purger.run(kStart + kDecay - 1);
  EXPECT_EQ(dirty(), kMiB);
  purger.run(kStart + kDecay);
  EXPECT_EQ(dirty(), 0u);
  EXPECT_EQ(*block, 0) << "the page is a fresh one";
  EXPECT_EQ(purger.wait_ns(kStart + kDecay), -1);
  EXPECT_EQ(heap.purges.bytes.load(), kMiB);
}

TEST_F(PurgerTest, MemoryUsedMeanwhileIsYoungAgain) {
  purger.open(kDecay, kSelf);
  char* const low = take(kMiB);
  char* const high = take(kMiB);
  give(low);
  give(high);
  purger.run(kStart);
  ASSERT_EQ(take(kMiB), low);
  give(low);
  purger.run(kStart + kDecay);
  EXPECT_EQ(dirty(), kMiB) << "the other has gone";
  EXPECT_EQ(*low, 1);
  purger.run(kStart + 2 * kDecay);
  EXPECT_EQ(dirty(), 0u);
}

TEST_F(PurgerTest, WithoutDecayMemoryGoesAtOnce) {
  purger.open(0, kSelf);
  give(take(kMiB));
  purger.run(kStart);
  EXPECT_EQ(dirty(), 0u);
}

TEST_F(PurgerTest, ExcessGoesBeforeItHasAged) {
  purger.open(kNever, kSelf);
  char* const block = take(40 * kMiB);
  give(block);
  run_all(kStart);
  EXPECT_EQ(dirty(), 40 * kMiB) << "it may be needed again at once";
  EXPECT_EQ(purger.wait_ns(kStart), static_cast<int64_t>(kExcessInterval));
  EXPECT_TRUE(purger.run(kStart + kExcessInterval)) << "a run at a time";
  EXPECT_GT(dirty(), kFloor);
  run_all(kStart + kExcessInterval);
  EXPECT_EQ(dirty(), kFloor);
  EXPECT_EQ(*block, 1) << "the top goes, where memory is reused last";
}

TEST_F(PurgerTest, TheFloorIsTheCallers) {
  purger.open(kNever, kSelf);
  give(take(40 * kMiB));
  Purger::set_floor(heap, 48 * kMiB);
  EXPECT_FALSE(Purger::is_excess(heap));
  Purger::set_floor(heap, kMiB);
  EXPECT_TRUE(Purger::is_excess(heap));
  run_all(kStart);
  run_all(kStart + kExcessInterval);
  EXPECT_EQ(dirty(), kMiB);
  Purger::set_floor(heap, 0);
  run_all(kStart + 2 * kExcessInterval);
  run_all(kStart + 3 * kExcessInterval);
  EXPECT_EQ(dirty(), 0u);
}

TEST_F(PurgerTest, AllIsKeptWhereTheCallerSaysSo) {
  purger.open(kDecay, kSelf);
  give(take(40 * kMiB));
  Purger::set_floor(heap, kKeepAll);
  run_all(kStart);
  run_all(kStart + 2 * kDecay);
  EXPECT_EQ(dirty(), 40 * kMiB);
  EXPECT_EQ(purger.wait_ns(kStart + 2 * kDecay), -1);
  EXPECT_FALSE(Purger::is_excess(heap));
  EXPECT_TRUE(purger.purge_everything()) << "asked for, it goes all the same";
  EXPECT_EQ(dirty(), 0u);
}

TEST_F(PurgerTest, AnEighthOfWhatIsInUseIsNoExcess) {
  purger.open(kNever, kSelf);
  take(32 * kMiB);
  give(take(40 * kMiB));
  run_all(kStart);
  run_all(kStart + kExcessInterval);
  const size_t allowed = kFloor + heap.depot.runs().in_use_bytes() / Purger::kDirtyShare;
  EXPECT_LE(dirty(), allowed);
  EXPECT_GT(dirty(), kFloor);
}

TEST_F(PurgerTest, OnlyWhatLayFreeAllTheIntervalIsExcess) {
  purger.open(kNever, kSelf);
  char* block = take(40 * kMiB);
  give(block);
  run_all(kStart);
  block = take(40 * kMiB);
  run_all(kStart + kExcessInterval / 2);  // sees that none is free
  give(block);
  run_all(kStart + kExcessInterval);
  EXPECT_EQ(dirty(), 40 * kMiB);
  run_all(kStart + 2 * kExcessInterval);
  EXPECT_EQ(dirty(), kFloor);
}

TEST_F(PurgerTest, RefusedMemoryStaysAndIsNotTriedAtOnce) {
  purger.open(kNever, kSelf);
  give(take(40 * kMiB));
  run_all(kStart);
  const test::RefusedCalls refused{sys::fake::Call::kDiscard};
  EXPECT_FALSE(purger.run(kStart + kExcessInterval));
  EXPECT_EQ(refused.count(sys::fake::Call::kDiscard), 1u);
  EXPECT_EQ(dirty(), 40 * kMiB);
  EXPECT_EQ(heap.purges.bytes.load(), 0u);
}

TEST_F(PurgerTest, UntouchedSpansAreThinned) {
  purger.open(kDecay, kSelf);
  const std::vector<char*> blocks = heap.take_span(store::class_of_size(1024));
  for (char* block : blocks) memset(block, 1, 1024);
  for (size_t i = 1; i < blocks.size(); ++i) heap.depot.spans().put_block(lock, blocks[i]);
  purger.run(kStart);
  EXPECT_EQ(purger.wait_ns(kStart), static_cast<int64_t>(kDecay));
  EXPECT_EQ(*blocks.back(), 1);
  purger.run(kStart + kDecay);
  EXPECT_EQ(*blocks.back(), 0) << "the page was given back";
  for (size_t i = 0; i < 1024; ++i) ASSERT_EQ(blocks[0][i], 1) << "a live block";
  EXPECT_EQ(heap.depot.free_blocks(lock, store::class_of_size(1024)), blocks.size() - 1);
  EXPECT_EQ(purger.wait_ns(kStart + kDecay), -1);
}

TEST_F(PurgerTest, EverythingGoesWhenAskedFor) {
  purger.open(kNever, kSelf);
  char* const block = take(kMiB);
  const std::vector<char*> blocks = heap.take_span(store::class_of_size(1024));
  for (char* one : blocks) memset(one, 1, 1024);
  for (size_t i = 1; i < blocks.size(); ++i) heap.depot.spans().put_block(lock, blocks[i]);
  give(block);
  EXPECT_TRUE(purger.purge_everything());
  EXPECT_EQ(dirty(), 0u);
  EXPECT_EQ(*block, 0);
  EXPECT_EQ(*blocks.back(), 0);
  EXPECT_FALSE(purger.purge_everything()) << "there is nothing left";
}

// The test switches here whether somebody watches.
bool is_watched;
size_t discarded_openly;
constexpr PageHooks kHooks = {[] { return is_watched; },
                              [](void*, size_t bytes) {
                                discarded_openly += bytes;
                                return false;
                              },
                              [](void*, size_t) { return false; }};

TEST_F(PurgerTest, WhatIsWatchedGoesByTheProgramsOwnCallOnly) {
  use_page_hooks(kHooks);
  is_watched = true;
  purger.open(kDecay, kSelf);
  char* const block = take(64 * kMiB);
  give(block);
  for (uint64_t now = kStart; now < kStart + 10 * kDecay; now += kDecay) run_all(now);
  EXPECT_EQ(dirty(), 64 * kMiB);
  EXPECT_EQ(purger.wait_ns(kStart), -1);
  Purger open{heap};
  open.open(0, kSelf, discard_for_watchers());
  open.purge_everything();
  EXPECT_EQ(discarded_openly, 64 * kMiB);
  EXPECT_EQ(dirty(), 64 * kMiB);
  is_watched = false;
  EXPECT_EQ(discard_for_watchers(), nullptr);
  for (uint64_t now = kStart; now < kStart + 3 * kDecay; now += kDecay) run_all(now);
  EXPECT_EQ(dirty(), 0u);
  use_page_hooks({});
}

}  // namespace
}  // namespace mmt::heap
