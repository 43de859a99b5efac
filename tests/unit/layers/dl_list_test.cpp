// Lists within free blocks: DlList, SizeList, and AdaptHeap, which makes heaps of them.
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/fit/size_list.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/malloc_heap.h>

#include "unit/layers/coalescing_model.h"

namespace mmt::layers {
namespace {

struct alignas(16) Slot {
  char bytes[64];
};

// A block of this test knows its size by its place in a table.
struct SlotSizes {
  size_t get_size(const void* block) const {
    return sizes->at(static_cast<size_t>(static_cast<const Slot*>(block) - first));
  }
  const Slot* first;
  const std::vector<size_t>* sizes;
};

template <class List>
std::vector<void*> held_by(const List& list) {
  std::vector<void*> held;
  EXPECT_TRUE(list.for_each([&](void* block) { held.push_back(block); }));
  return held;
}

TEST(DlList, GivesTheOldestFirst) {
  Slot slots[4];
  DlList list;
  EXPECT_TRUE(list.is_empty());
  EXPECT_EQ(list.take(), nullptr);
  for (Slot& slot : slots) list.insert(&slot);
  for (Slot& slot : slots) {
    EXPECT_EQ(list.oldest(), &slot);
    EXPECT_EQ(list.take(), &slot);
  }
  EXPECT_TRUE(list.is_empty());
}

TEST(DlList, LosesAnyBlock) {
  Slot slots[5];
  for (size_t removed = 0; removed < 5; ++removed) {
    DlList list;
    for (Slot& slot : slots) list.insert(&slot);
    list.remove(&slots[removed]);
    std::vector<void*> expected;
    for (size_t i = 5; i-- != 0;) {
      if (i != removed) expected.push_back(&slots[i]);
    }
    EXPECT_EQ(held_by(list), expected);
  }
}

TEST(DlList, KnowsTheOnlyOne) {
  Slot slots[2];
  DlList list;
  list.insert(&slots[0]);
  EXPECT_TRUE(list.is_alone(&slots[0]));
  EXPECT_FALSE(list.is_alone(&slots[1]));
  list.insert(&slots[1]);
  EXPECT_FALSE(list.is_alone(&slots[0]));
  EXPECT_FALSE(list.is_alone(&slots[1]));
  list.forget();
  EXPECT_TRUE(list.is_empty());
}

TEST(DlList, SeesBrokenLinks) {
  Slot slots[3] = {};
  DlList list;
  for (Slot& slot : slots) list.insert(&slot);
  reinterpret_cast<DlList::Node*>(&slots[1])->prev = nullptr;
  EXPECT_FALSE(list.for_each([](void*) {}));
}

TEST(SizeList, GivesTheSmallestThatIsLargeEnoughAndOfThoseTheOldest) {
  Slot slots[6];
  const std::vector<size_t> sizes = {300, 100, 200, 100, 300, 200};
  const SlotSizes of{slots, &sizes};
  SizeList list;
  for (Slot& slot : slots) list.insert(&slot, of);
  EXPECT_EQ(held_by(list),
            (std::vector<void*>{&slots[1], &slots[3], &slots[2], &slots[5], &slots[0], &slots[4]}));
  EXPECT_EQ(list.take(301, of), nullptr);
  EXPECT_EQ(list.take(101, of), &slots[2]);
  EXPECT_EQ(list.take(101, of), &slots[5]);
  EXPECT_EQ(list.take(101, of), &slots[0]);
  EXPECT_EQ(list.take(0, of), &slots[1]);
  EXPECT_EQ(held_by(list), (std::vector<void*>{&slots[3], &slots[4]}));
}

TEST(SizeList, AgreesWithASortedModel) {
  constexpr size_t kSlots = 400;
  std::vector<Slot> slots(kSlots);
  std::vector<size_t> sizes(kSlots);
  const SlotSizes of{slots.data(), &sizes};
  SizeList list;
  std::vector<size_t> model;  // numbers of slots, in the order of the list
  Random random(5);
  for (int i = 0; i < 20000; ++i) {
    const size_t number = random.below(kSlots);
    const auto at = std::find(model.begin(), model.end(), number);
    if (at != model.end()) {
      list.remove(&slots[number]);
      model.erase(at);
    } else if (random.below(4) == 0) {
      const size_t wanted = random.below(45);
      const auto fit = std::find_if(model.begin(), model.end(),
                                    [&](size_t held) { return sizes[held] >= wanted; });
      ASSERT_EQ(list.take(wanted, of), fit == model.end() ? nullptr : &slots[*fit]);
      if (fit != model.end()) model.erase(fit);
    } else {
      sizes[number] = random.below(40);
      list.insert(&slots[number], of);
      const auto behind = std::find_if(model.begin(), model.end(),
                                       [&](size_t held) { return sizes[held] > sizes[number]; });
      model.insert(behind, number);
    }
    ASSERT_EQ(list.is_empty(), model.empty());
    if (i % 20 != 0) continue;
    std::vector<void*> expected;
    for (const size_t held : model) expected.push_back(&slots[held]);
    ASSERT_EQ(held_by(list), expected);
  }
}

TEST(AdaptHeap, IsAFifoFreelist) {
  Pipe<PieceSource, Adapt<DlList>> heap;
  void* first = heap.malloc(40);
  void* second = heap.malloc(40);
  heap.free(first);
  heap.free(second);
  EXPECT_EQ(heap.malloc(40), first);
  EXPECT_EQ(heap.malloc(40), second);
  heap.free(first);
  heap.free(second);
  heap.remove(first);
  EXPECT_EQ(heap.malloc(40), second);
  heap.free(first);
  heap.free(second);
}

TEST(AdaptHeap, ReturnsWhatItHolds) {
  ASSERT_EQ(PieceSource::pieces, 0u);
  {
    Pipe<PieceSource, Adapt<DlList>> heap;
    void* blocks[10];
    for (void*& block : blocks) block = heap.malloc(1);
    for (void* block : blocks) heap.free(block);
    EXPECT_EQ(PieceSource::pieces, 10u);
  }
  EXPECT_EQ(PieceSource::pieces, 0u);
}

TEST(AdaptHeap, FitsBySize) {
  Pipe<MallocHeap, Size, Adapt<SizeList>> heap;
  void* large = heap.malloc(500);
  void* small = heap.malloc(100);
  heap.free(large);
  heap.free(small);
  EXPECT_EQ(heap.malloc(90), small);
  EXPECT_EQ(heap.malloc(101), large);
  heap.free(small);
  heap.free(large);
}

}  // namespace
}  // namespace mmt::layers
