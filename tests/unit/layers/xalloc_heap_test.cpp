// XallocHeap uses again at once what is freed at the end of the arena. It uses again what lies
// before the end when all behind that is free. No word is written beyond the arena
// (AddressSanitizer sees its block).
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/core/checked.h>
#include <mmt/layers/special/xalloc_heap.h>

#include "unit/layers/bottom_heap.h"
#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

template <size_t kBytes>
using Arena = OverBottom<Xalloc<kBytes>>;

char* bytes_of(void* block) { return static_cast<char*>(block); }

TEST(XallocHeap, TakesTheArenaAtTheFirstUseAndReturnsIt) {
  Bottom bottom;
  {
    Arena<1000> heap(bottom);
    EXPECT_EQ(bottom.statistics().blocks, 0u);
    ASSERT_NE(heap.malloc(10), nullptr);
    ASSERT_NE(heap.malloc(20), nullptr);
    EXPECT_EQ(bottom.statistics().mallocs, 1u);
    heap.clear();
    EXPECT_EQ(bottom.statistics().blocks, 1u);
  }
  EXPECT_EQ(bottom.statistics().blocks, 0u);
}

TEST(XallocHeap, LaysBlocksOneAfterTheOther) {
  Bottom bottom;
  Arena<4096> heap(bottom);
  char* const first = bytes_of(heap.malloc(0));
  char* const second = bytes_of(heap.malloc(8));
  char* const third = bytes_of(heap.malloc(9));
  char* const fourth = bytes_of(heap.malloc(24));
  EXPECT_TRUE(is_aligned(first));
  EXPECT_EQ(second, first + 16);
  EXPECT_EQ(third, second + 16);
  EXPECT_EQ(fourth, third + 32);
  EXPECT_TRUE(heap.owns(first));
  EXPECT_TRUE(heap.owns(fourth + 23));
  EXPECT_FALSE(heap.owns(&heap));
}

TEST(XallocHeap, ReusesWhatIsFreedAtTheEnd) {
  Bottom bottom;
  Arena<4096> heap(bottom);
  void* const first = heap.malloc(100);
  void* const second = heap.malloc(200);
  void* const third = heap.malloc(300);
  heap.free(third);
  EXPECT_EQ(heap.malloc(50), third);
  heap.free(second);  // stays: one behind it is in use
  void* const fifth = heap.malloc(10);
  EXPECT_GT(fifth, third);
  heap.free(fifth);
  heap.free(third);  // and with it the second
  EXPECT_EQ(heap.malloc(150), second);
  heap.free(second);
  heap.free(first);
  EXPECT_EQ(heap.malloc(1), first);
}

TEST(XallocHeap, FillsTheArenaToItsEndAndNotBeyond) {
  Bottom bottom;
  for (const size_t bytes : {1u, 8u, 24u, 40u, 100u, 488u}) {
    Arena<520> heap(bottom);
    size_t count = 0;
    while (void* block = heap.malloc(bytes)) {
      std::memset(block, 0xff, bytes);
      ++count;
    }
    // A multiple of 16, less the room before the first word and behind the last.
    EXPECT_EQ(count, 496 / ((bytes + 8 + 15) / 16 * 16)) << bytes;
    EXPECT_EQ(heap.malloc(bytes), nullptr);
  }
  Arena<520> heap(bottom);
  EXPECT_EQ(heap.malloc(489), nullptr);
  EXPECT_EQ(heap.good_size(489), 0u);
  EXPECT_EQ(heap.good_size(488), 488u);
  EXPECT_EQ(bottom.statistics().blocks, 0u) << "an arena that is too small was taken";
}

TEST(XallocHeap, RefusesWhatCannotBe) {
  Bottom bottom;
  Arena<4096> heap(bottom);
  for (int round = 0; round < 2; ++round) {
    for (const size_t bytes : {SIZE_MAX, SIZE_MAX - 7, SIZE_MAX - 23, SIZE_MAX / 2, size_t{4097}}) {
      EXPECT_EQ(heap.malloc(bytes), nullptr);
      EXPECT_EQ(heap.allocate(bytes, 64).data, nullptr);
    }
    void* const block = heap.malloc(10);
    EXPECT_FALSE(heap.expand(block, SIZE_MAX));
    heap.free(block);
  }
  Arena<4096> without(bottom);
  refuse_all(bottom);
  EXPECT_EQ(without.malloc(10), nullptr);
  EXPECT_EQ(without.allocate(10, 64).data, nullptr);
  serve_all(bottom);
  EXPECT_NE(without.malloc(10), nullptr);
}

TEST(XallocHeap, GrowsTheLastBlockAlone) {
  Bottom bottom;
  Arena<4096> heap(bottom);
  void* const first = heap.malloc(10);
  EXPECT_TRUE(heap.expand(first, 1000));
  char* const second = bytes_of(heap.malloc(10));
  EXPECT_EQ(second, bytes_of(first) + 1008);
  EXPECT_FALSE(heap.expand(first, 1001));
  EXPECT_TRUE(heap.expand(second, 3000));
  EXPECT_FALSE(heap.expand(second, 4000));
  EXPECT_TRUE(heap.expand(second, 1));
  std::memset(second, 0xff, 3000);
  EXPECT_GE(heap.malloc(1), second + 3000);
}

TEST(XallocHeap, AlignsAndReclaimsTheGap) {
  Bottom bottom;
  Arena<65536> heap(bottom);
  void* const first = heap.malloc(10);
  for (const size_t alignment : {1u, 16u, 32u, 256u, 4096u}) {
    const Block block = heap.allocate(100, alignment);
    ASSERT_NE(block.data, nullptr);
    EXPECT_TRUE(is_aligned(block.data, alignment));
    EXPECT_GE(block.size, 100u);
    std::memset(block.data, 0xff, block.size);
    heap.free(block.data);
    void* const next = heap.malloc(10);
    EXPECT_EQ(next, bytes_of(first) + 32);
    heap.free(next);
  }
  // The gap counts: where it is too large, the request fails, and leaves none.
  const auto next = reinterpret_cast<uintptr_t>(first) + 32;
  const size_t gap = core::align_up(next, 32768) - next;
  void* const large = heap.allocate(60000, 32768).data;
  EXPECT_EQ(large == nullptr, gap + 60000 + 32 > 65536 - 32);
  if (large != nullptr) heap.free(large);
  heap.free(first);
  EXPECT_NE(heap.allocate(60000, 16).data, nullptr);
  Arena<1024> small(bottom);
  const size_t before = bottom.statistics().blocks;
  EXPECT_EQ(small.allocate(1001, 64).data, nullptr) << "wherever the arena lies";
  EXPECT_EQ(bottom.statistics().blocks, before);
}

TEST(XallocHeap, ClearEndsAllBlocks) {
  Bottom bottom;
  Arena<4096> heap(bottom);
  heap.clear();
  void* const first = heap.malloc(100);
  heap.malloc(2000);
  heap.clear();
  heap.clear();
  EXPECT_EQ(heap.malloc(3000), first);
}

// The end of the arena's use is that of the last block in use.
TEST(XallocHeap, AgreesWithAModel) {
  Bottom bottom;
  Arena<100000> heap(bottom);
  Random random(11);
  struct Entry {
    MixedBlock block;
    bool is_live;
  };
  std::vector<Entry> stack;
  unsigned char* first = nullptr;
  for (int i = 0; i < 30000; ++i) {
    unsigned char* const expected =
        stack.empty() ? first
                      : stack.back().block.data + (stack.back().block.size + 8 + 15) / 16 * 16;
    if (random.below(100) < 52) {
      const size_t size = random.below(random.below(400) + 1);
      auto* const data = static_cast<unsigned char*>(heap.malloc(size));
      if (data == nullptr) {
        ASSERT_GT(expected - first + 24 + static_cast<ptrdiff_t>(size), 99900);
        continue;
      }
      if (first == nullptr) {
        first = data;
      } else {
        ASSERT_EQ(data, expected);
      }
      stack.push_back({{data, size, static_cast<unsigned char>(i)}, true});
      stack.back().block.fill();
    } else if (!stack.empty()) {
      // Mostly near the end, as parsers do.
      const size_t depth = random.below(random.below(stack.size()) + 1);
      Entry& entry = stack[stack.size() - 1 - depth];
      if (!entry.is_live) continue;
      ASSERT_TRUE(entry.block.is_intact(entry.block.size));
      heap.free(entry.block.data);
      entry.is_live = false;
      while (!stack.empty() && !stack.back().is_live) stack.pop_back();
    }
  }
}

static_assert(!SizedHeap<Arena<1000>>);
static_assert(ClearableHeap<Arena<1000>> && AligningHeap<Arena<1000>>);

}  // namespace
}  // namespace mmt::layers
