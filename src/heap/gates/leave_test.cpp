// A batch in each form is the depot's after it has passed the gate, each block once, with the lock
// or without.
#include "heap/gates/leave.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

#include "heap/object/depot_guard.h"
#include "support/fresh_heap.h"
#include "support/held_lock.h"

namespace mmt::heap {
namespace {

constexpr SizeClass kLeaving = store::class_of_size(96);
constexpr uint32_t kLeaver = 1;
constexpr uint32_t kAnother = 2;
constexpr size_t kLargeBytes = size_t{1} << 20;

class LeaveTest : public ::testing::Test {
 protected:
  // Some blocks of a span of their own, in the three forms of small ones.
  void take_some() {
    const store::SpanSupply span = heap.depot.spans().carve_span(kLeaving, words);
    base = heap.depot.region().address(span.slot);
    std::fill(std::begin(words), std::end(words), 0);
    blocks.clear();
    offsets.clear();
    for (size_t index : {0, 1, 63, 64, 100}) {
      words[index / 64] |= uint64_t{1} << (index % 64);
      char* const block = base + index * store::kClasses[kLeaving].size;
      blocks.push_back(block);
      const auto offset = static_cast<size_t>(block - heap.depot.region().base());
      offsets.push_back(static_cast<uint32_t>(offset >> store::kOffsetUnitShift));
    }
  }

  Batch batch(Batch::Form form) {
    switch (form) {
      case Batch::Form::kBlocks:
        return Batch::of_blocks(kLeaving, blocks.data(), blocks.size());
      case Batch::Form::kOffsets:
        return Batch::of_offsets(kLeaving, heap.depot.region().base(), offsets.data(),
                                 offsets.size());
      case Batch::Form::kWords:
        return Batch::of_words(kLeaving, base, words);
      case Batch::Form::kLarge:
        break;
    }
    return Batch::of_large(heap.depot.large().carve(kLargeBytes, 1), false);
  }
  size_t in_depot() { return heap.depot.free_blocks(lock, kLeaving); }
  size_t free_slots() { return heap.depot.usage(lock).free_slot_bytes >> store::kSlotShift; }

  test::HeldLock lock;
  test::FreshHeap heap;
  uint64_t words[store::kMaxBitmapWords] = {};
  char* base = nullptr;
  std::vector<void*> blocks;
  std::vector<uint32_t> offsets;
};

constexpr Batch::Form kSmall[] = {Batch::Form::kBlocks, Batch::Form::kOffsets, Batch::Form::kWords};

TEST_F(LeaveTest, EachBlockIsVisitedOnce) {
  take_some();
  for (const Batch::Form form : kSmall) {
    std::vector<void*> seen;
    batch(form).for_each([&](void* block) { seen.push_back(block); });
    EXPECT_EQ(seen, blocks);
  }
}

TEST_F(LeaveTest, WithTheLockItIsTheDepotsAtOnce) {
  size_t expected = 0;
  for (const Batch::Form form : kSmall) {
    take_some();
    EXPECT_TRUE(leave(heap, batch(form), DepotWait::kForever));
    EXPECT_EQ(in_depot(), expected += blocks.size());
    take_some();
    leave_as(heap, kLeaver, batch(form));
    EXPECT_EQ(in_depot(), expected += blocks.size());
  }
}

TEST_F(LeaveTest, WithoutTheLockItRests) {
  size_t expected = 0;
  for (const Batch::Form form : kSmall) {
    take_some();
    ASSERT_TRUE(heap.depot.lock().lock(kAnother));
    bool called = false;
    EXPECT_FALSE(leave(heap, batch(form), DepotWait::kBrief, [&] { called = true; }));
    heap.depot.lock().unlock(kAnother);
    EXPECT_TRUE(called);
    EXPECT_EQ(in_depot(), expected);
    EXPECT_TRUE(heap.depot.returned().collect(lock, ~size_t{0}));
    EXPECT_EQ(in_depot(), expected += blocks.size());
  }
}

TEST_F(LeaveTest, LargeBlockBecomesFreeSlots) {
  const size_t slots = kLargeBytes >> store::kSlotShift;
  leave_as(heap, kLeaver, batch(Batch::Form::kLarge));
  EXPECT_GE(free_slots(), slots);
  const size_t before = free_slots();
  const Batch another = batch(Batch::Form::kLarge);
  ASSERT_TRUE(heap.depot.lock().lock(kAnother));
  EXPECT_FALSE(leave(heap, another, DepotWait::kBrief));
  heap.depot.lock().unlock(kAnother);
  EXPECT_TRUE(heap.depot.large().has_returned());
  EXPECT_GE(free_slots(), before + slots);
}

}  // namespace
}  // namespace mmt::heap
