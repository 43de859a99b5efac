// The region: carving, alignment by address, and tables that grow with the frontier.
#include "heap/store/region.h"

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/refused_calls.h"
#include "support/region_memory.h"

namespace mmt::store {
namespace {

using sys::fake::Call;
using test::RefusedCalls;

test::OwnedRegion open_region() {
  test::OwnedRegion region(new Region());
  EXPECT_TRUE(region->open(false));
  return region;
}

TEST(Region, KnowsItsAddresses) {
  const auto region = open_region();
  Slot skipped_from;
  size_t skipped;
  const Slot slot = region->carve(3, 1, &skipped_from, &skipped);
  ASSERT_NE(slot, kNoSlot);
  char* block = region->address(slot);
  EXPECT_TRUE(region->contains(block));
  EXPECT_EQ(region->slot_of(block), slot);
  EXPECT_EQ(region->slot_of(block + 3 * kSlotBytes - 1), slot + 2);
  EXPECT_FALSE(region->contains(region->base() - 1));
  EXPECT_FALSE(region->contains(&skipped));
  EXPECT_FALSE(region->contains(nullptr));
}

TEST(Region, WithoutMemoryItStaysClosedUntilThereIsSome) {
  test::OwnedRegion region(new Region());
  {
    const RefusedCalls refused{Call::kMapAt, Call::kMapAnywhere};
    EXPECT_FALSE(region->open(false));
    EXPECT_GT(refused.count(Call::kMapAt) + refused.count(Call::kMapAnywhere), 0u);
  }
  EXPECT_EQ(region->budget().mapped(), 0u);
  ASSERT_TRUE(region->open(false));
  Slot skipped_from;
  size_t skipped;
  EXPECT_NE(region->carve(1, 1, &skipped_from, &skipped), kNoSlot);
}

TEST(Region, WhatIsMappedIsCarvedThoughTheSystemHasNoMore) {
  const auto region = open_region();
  const size_t mapped = region->mapped_bytes();
  Slot skipped_from;
  size_t skipped;
  size_t carved = 0;
  {
    const RefusedCalls refused{Call::kMapAt, Call::kMapAnywhere};
    while (region->carve(4, 1, &skipped_from, &skipped) != kNoSlot) ++carved;
    EXPECT_GT(refused.count(Call::kMapAt), 0u);
  }
  const size_t ready = (mapped >> kSlotShift) - region->first();
  EXPECT_GE(carved, ready / 4 - 1);
  EXPECT_LE(carved, ready / 4);
  EXPECT_EQ(region->mapped_bytes(), mapped);
  const Slot slot = region->carve(4, 1, &skipped_from, &skipped);
  ASSERT_NE(slot, kNoSlot) << "the system has some again";
  memset(region->address(slot), 1, 4 * kSlotBytes);
  EXPECT_GT(region->mapped_bytes(), mapped);
}

TEST(Region, FreshMemoryIsZeroAndSoAreItsTables) {
  const auto region = open_region();
  Slot skipped_from;
  size_t skipped;
  const Slot slot = region->carve(16, 16, &skipped_from, &skipped);
  ASSERT_NE(slot, kNoSlot);
  const char* block = region->address(slot);
  for (size_t i = 0; i < 16 * kSlotBytes; i += 512) ASSERT_EQ(block[i], 0);
  memset(region->address(slot), 0xff, 16 * kSlotBytes);
  EXPECT_EQ(region->class_of(slot), kNoClass);
  EXPECT_EQ(region->span(slot).free_blocks, 0u);
  for (size_t i = 0; i < kMaxBitmapWords; ++i) {
    EXPECT_EQ(region->free_bits(slot)[i], 0u);
    EXPECT_EQ(region->returned_bits(slot)[i].load(), 0u);
  }
}

TEST(Region, MetadataIsTheTablesOfWhatIsMapped) {
  const auto region = open_region();
  const size_t slots = region->mapped_bytes() / kSlotBytes;
  constexpr size_t kBitmaps = kSideCount - static_cast<size_t>(Side::kFree);
  const size_t a_slot = 1 + sizeof(Span) + 2 * kMaxBitmapWords * sizeof(uint64_t);
  EXPECT_GE(region->metadata_bytes(), slots * a_slot + slots / 8 * kBitmaps);
  EXPECT_LT(region->metadata_bytes(), slots * a_slot + kSideCount * sys::kPageSize);
}

TEST(Region, AlignmentReportsWhatItSkips) {
  const auto region = open_region();
  Slot skipped_from;
  size_t skipped;
  ASSERT_NE(region->carve(1, 1, &skipped_from, &skipped), kNoSlot);
  const Slot frontier = region->frontier();
  const Slot slot = region->carve(2, 64, &skipped_from, &skipped);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(region->address(slot)) % (64 * kSlotBytes), 0u);
  EXPECT_EQ(skipped_from, frontier);
  EXPECT_EQ(skipped, slot - frontier);
  EXPECT_EQ(region->frontier(), slot + 2);
}

TEST(Region, CarvesAtTheFrontierOnly) {
  const auto region = open_region();
  const Slot frontier = region->frontier();
  EXPECT_FALSE(region->carve_at(frontier + 1, 1));
  EXPECT_TRUE(region->carve_at(frontier, 2));
  EXPECT_FALSE(region->carve_at(frontier, 1));
  EXPECT_EQ(region->frontier(), frontier + 2);
}

TEST(Region, EndsAtItsLastSlot) {
  const auto region = open_region();
  Slot skipped_from;
  size_t skipped;
  EXPECT_EQ(region->carve(kMaxSlots + 1, 1, &skipped_from, &skipped), kNoSlot);
  EXPECT_NE(region->carve(1, 1, &skipped_from, &skipped), kNoSlot);
}

TEST(Region, ThreadsNeverShareASlot) {
  constexpr int kThreads = 4;
  constexpr int kRuns = 500;
  const auto region = open_region();
  std::vector<Slot> taken[kThreads];
  std::vector<std::thread> threads;
  for (auto& mine : taken)
    threads.emplace_back([&region, &mine] {
      for (int i = 0; i < kRuns; ++i) {
        Slot skipped_from;
        size_t skipped;
        const Slot slot = region->carve(2, 1, &skipped_from, &skipped);
        region->address(slot)[0] = 1;
        mine.push_back(slot);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::vector<bool> seen(region->frontier());
  for (const auto& mine : taken)
    for (Slot slot : mine) {
      ASSERT_FALSE(seen[slot] || seen[slot + 1]);
      seen[slot] = seen[slot + 1] = true;
    }
}

constexpr size_t kMoreThanAPiece = 513;

template <Reach kReach = Reach::kAnywhere>
Slot carve_piece(Region& region) {
  Slot skipped_from;
  size_t skipped;
  return region.carve<kReach>(kMoreThanAPiece, 1, &skipped_from, &skipped);
}

TEST(Region, WhoHoldsTheMappingMaps) {
  const auto region = open_region();
  region->hold_mapping();
  EXPECT_NE(carve_piece(*region), kNoSlot);
  EXPECT_TRUE(region->carve_at(region->frontier(), kMoreThanAPiece));
  region->release_mapping();
  EXPECT_NE(carve_piece(*region), kNoSlot);
}

TEST(Region, NothingIsMappedWhereItMustNot) {
  const auto region = open_region();
  const size_t mapped = region->mapped_bytes();
  EXPECT_EQ(carve_piece<Reach::kMapped>(*region), kNoSlot);
  EXPECT_FALSE(region->carve_at<Reach::kMapped>(region->frontier(), kMoreThanAPiece));
  EXPECT_EQ(region->mapped_bytes(), mapped);
  ASSERT_TRUE(region->map_through(kMoreThanAPiece << kSlotShift));
  EXPECT_NE(carve_piece<Reach::kMapped>(*region), kNoSlot);
}

TEST(Region, OtherThreadsMapWhenTheHoldHasEnded) {
  const auto region = open_region();
  region->hold_mapping();
  const size_t mapped = region->mapped_bytes();
  std::atomic<bool> started{};
  Slot taken = kNoSlot;
  std::thread other([&] {
    started.store(true);
    taken = carve_piece(*region);
  });
  while (!started.load()) std::this_thread::yield();
  for (int i = 0; i < 1000; ++i) std::this_thread::yield();
  EXPECT_EQ(region->mapped_bytes(), mapped);
  region->release_mapping();
  other.join();
  EXPECT_NE(taken, kNoSlot);
}

// True when a child that does `body` ends. It leaves by the system call: ThreadSanitizer would miss
// other threads at _exit.
template <class Body>
bool child_ends(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    syscall(SYS_exit_group, 0);
  }
  int status = -1;
  return waitpid(child, &status, 0) == child && status == 0;
}

// Two threads map without pause while a third forks. The child has neither of the two. There the
// thread that forked goes on mapping, and so can others afterwards.
TEST(Region, ForkFindsNothingHalfMapped) {
  constexpr int kRounds = 20;
  constexpr int kPieces = 50;
  const auto region = open_region();
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::thread> others;
    for (int i = 0; i < 2; ++i)
      others.emplace_back([&] {
        for (int piece = 0; piece < kPieces; ++piece) carve_piece(*region);
      });
    region->hold_mapping();
    const bool ended = child_ends([&] {
      carve_piece(*region);
      region->reset_in_child();
      carve_piece(*region);
    });
    region->release_mapping();
    for (std::thread& other : others) other.join();
    ASSERT_TRUE(ended);
  }
}

}  // namespace
}  // namespace mmt::store
