// AnsiHeap keeps what C promises of malloc's family, on heaps that can do more or less.
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/adapt/ansi_heap.h>
#include <mmt/layers/fit/chunk_heap.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/observe/debug_heap.h>
#include <mmt/layers/observe/fail_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/source/buffer_heap.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/source/mapped_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/source/null_heap.h>

#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

// All blocks go the long way: no expand, no remap, exact sizes.
using Plain = Pipe<MmapHeap, Chunk<65536>, Size, Statistics, Fail<FailWhenTold>, Ansi>;
using Growing = Pipe<BufferHeap<100000>, Size, Statistics, Ansi>;

void fill(void* block, size_t bytes, int value) { std::memset(block, value, bytes); }
bool is_filled(const void* block, size_t bytes, int value) {
  const auto* data = static_cast<const unsigned char*>(block);
  for (size_t i = 0; i < bytes; ++i) {
    if (data[i] != value) return false;
  }
  return true;
}

TEST(AnsiHeap, MallocOfNothingIsABlock) {
  Plain heap;
  void* a = heap.malloc(0);
  void* b = heap.malloc(0);
  EXPECT_NE(a, nullptr);
  EXPECT_NE(b, nullptr);
  EXPECT_NE(a, b);
  heap.free(a);
  heap.free(b);
}

TEST(AnsiHeap, FreeOfNullDoesNothing) {
  Plain heap;
  heap.free(nullptr);
  EXPECT_EQ(heap.statistics().frees, 0u);
  EXPECT_EQ(heap.usable_size(nullptr), 0u);
  Pipe<MmapHeap, Debug<>, Ansi> sized;
  sized.free(nullptr, 10);
}

TEST(AnsiHeap, CallocZeroes) {
  Pipe<BufferHeap<4096>, Size, Ansi> heap;
  void* block = heap.malloc(1000);
  fill(block, 1000, 7);
  heap.free(block);
  void* zeroed = heap.calloc(50, 20);
  EXPECT_EQ(zeroed, block);
  EXPECT_TRUE(is_filled(zeroed, 1000, 0));
}

TEST(AnsiHeap, CallocRefusesWhatOverflows) {
  Plain heap;
  EXPECT_EQ(heap.calloc(size_t{1} << 33, size_t{1} << 33), nullptr);
  EXPECT_EQ(heap.calloc(SIZE_MAX, 2), nullptr);
  EXPECT_EQ(heap.calloc(2, SIZE_MAX / 2 + 1), nullptr);
  EXPECT_EQ(heap.calloc(1, SIZE_MAX), nullptr);
  EXPECT_EQ(heap.statistics().mallocs, 0u);
  void* none = heap.calloc(0, SIZE_MAX);
  EXPECT_NE(none, nullptr);
  heap.free(none);
}

TEST(AnsiHeap, ReallocOfNullAllocates) {
  Plain heap;
  void* block = heap.realloc(nullptr, 10);
  EXPECT_NE(block, nullptr);
  EXPECT_EQ(heap.usable_size(block), 10u);
  heap.free(block);
}

TEST(AnsiHeap, ReallocToNothingFrees) {
  Plain heap;
  EXPECT_EQ(heap.realloc(heap.malloc(10), 0), nullptr);
  EXPECT_EQ(heap.statistics().blocks, 0u);
}

TEST(AnsiHeap, ReallocMovesToGrow) {
  Plain heap;
  void* block = heap.malloc(100);
  fill(block, 100, 3);
  void* moved = heap.realloc(block, 1000);
  ASSERT_NE(moved, nullptr);
  EXPECT_NE(moved, block);
  EXPECT_TRUE(is_filled(moved, 100, 3));
  EXPECT_EQ(heap.statistics().blocks, 1u);
  heap.free(moved);
}

TEST(AnsiHeap, ReallocThatFailsLeavesTheBlock) {
  Plain heap;
  void* block = heap.malloc(100);
  fill(block, 100, 3);
  heap.fail_policy().left = 0;
  EXPECT_EQ(heap.realloc(block, 1000), nullptr);
  EXPECT_EQ(heap.realloc(block, SIZE_MAX), nullptr);
  EXPECT_EQ(heap.reallocarray(block, SIZE_MAX / 2, 3), nullptr);
  EXPECT_EQ(heap.statistics().blocks, 1u);
  EXPECT_EQ(heap.usable_size(block), 100u);
  EXPECT_TRUE(is_filled(block, 100, 3));
  EXPECT_EQ(heap.realloc(block, 10), block);  // nothing smaller can be had
  EXPECT_EQ(heap.calloc(1, 1), nullptr);
  heap.fail_policy().left = SIZE_MAX;
  heap.free(block);
}

TEST(AnsiHeap, ReallocShrinksInPlaceUnlessHalfIsUnused) {
  Plain heap;
  void* block = heap.malloc(100);
  fill(block, 100, 3);
  EXPECT_EQ(heap.realloc(block, 100), block);
  EXPECT_EQ(heap.realloc(block, 50), block);
  void* moved = heap.realloc(block, 49);
  EXPECT_NE(moved, block);
  EXPECT_EQ(heap.usable_size(moved), 49u);
  EXPECT_TRUE(is_filled(moved, 49, 3));
  EXPECT_EQ(heap.statistics().blocks, 1u);
  heap.free(moved);
}

TEST(AnsiHeap, ReallocMovesNothingThatCannotBeSmaller) {
  Pipe<KingsleyHeap<MmapHeap>, Ansi> heap;
  void* least = heap.malloc(8);
  EXPECT_EQ(heap.usable_size(least), 8u);
  EXPECT_EQ(heap.realloc(least, 1), least);
  void* larger = heap.malloc(24);
  EXPECT_EQ(heap.realloc(larger, 20), larger);
  void* smaller = heap.realloc(larger, 3);
  EXPECT_NE(smaller, larger);
  EXPECT_EQ(heap.usable_size(smaller), 8u);
  heap.free(smaller);
  heap.free(least);
}

TEST(AnsiHeap, ReallocGrowsInPlaceWhereItCan) {
  Growing heap;
  void* block = heap.malloc(100);
  EXPECT_EQ(heap.realloc(block, 1000), block);
  EXPECT_EQ(heap.usable_size(block), 1000u);
  void* other = heap.malloc(10);
  fill(block, 1000, 4);
  void* moved = heap.realloc(block, 2000);
  EXPECT_NE(moved, block);
  EXPECT_TRUE(is_filled(moved, 1000, 4));
  EXPECT_EQ(heap.statistics().grown, 1u);
  heap.free(moved);
  heap.free(other);
}

TEST(AnsiHeap, ReallocMovesPagesWhereItCan) {
  static_assert(RemappingHeap<MmapHeap> && RemappingHeap<MappedHeap>);
  Pipe<MappedHeap, Ansi> heap;
  constexpr size_t kLarge = size_t{64} << 20;
  auto* block = static_cast<char*>(heap.malloc(kLarge));
  block[0] = 1;
  block[kLarge - 1] = 2;
  auto* grown = static_cast<char*>(heap.realloc(block, 8 * kLarge));
  ASSERT_NE(grown, nullptr);
  EXPECT_EQ(grown[0], 1);
  EXPECT_EQ(grown[kLarge - 1], 2);
  EXPECT_GE(heap.usable_size(grown), 8 * kLarge);
  auto* shrunk = static_cast<char*>(heap.realloc(grown, 4096));
  EXPECT_EQ(shrunk, grown);  // copied, it would have moved
  EXPECT_LT(heap.usable_size(shrunk), size_t{8192});
  EXPECT_EQ(shrunk[0], 1);
  EXPECT_TRUE(heap.owns(shrunk));
  heap.free(shrunk);
}

// Its blocks are not those that a heap further below could move.
static_assert(!RemappingHeap<Pipe<MmapHeap, Size>>);
static_assert(!RemappingHeap<Pipe<MmapHeap, Chunk<4096>, Size>>);
static_assert(!RemappingHeap<Pipe<MmapHeap, Statistics>>);

TEST(AnsiHeap, ReallocArrayMultiplies) {
  Plain heap;
  void* block = heap.reallocarray(nullptr, 10, 20);
  EXPECT_EQ(heap.usable_size(block), 200u);
  EXPECT_EQ(heap.reallocarray(block, size_t{1} << 33, size_t{1} << 33), nullptr);
  EXPECT_EQ(heap.usable_size(block), 200u);
  heap.free(block);
}

TEST(AnsiHeap, AlignsAsAsked) {
  Plain heap;
  for (size_t alignment = 1; alignment <= 65536; alignment *= 2) {
    for (void* block : {heap.memalign(alignment, 33), heap.aligned_alloc(alignment, 33)}) {
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0u);
      EXPECT_GE(heap.usable_size(block), 33u);
      fill(block, heap.usable_size(block), 5);
      block = heap.realloc(block, 3000);
      EXPECT_TRUE(is_filled(block, 33, 5));
      heap.free(block);
    }
  }
  EXPECT_EQ(heap.statistics().blocks, 0u);
  EXPECT_EQ(heap.memalign(0, 8), nullptr);
  EXPECT_EQ(heap.memalign(24, 8), nullptr);
  EXPECT_EQ(heap.memalign(64, SIZE_MAX), nullptr);
  EXPECT_EQ(heap.aligned_alloc(48, 96), nullptr);
}

TEST(AnsiHeap, PosixMemalignTellsErrors) {
  Plain heap;
  void* untouched = &heap;
  void* result = untouched;
  for (const size_t wrong : {size_t{0}, size_t{4}, size_t{24}, SIZE_MAX}) {
    EXPECT_EQ(heap.posix_memalign(&result, wrong, 8), EINVAL);
  }
  EXPECT_EQ(heap.posix_memalign(&result, 64, SIZE_MAX), ENOMEM);
  EXPECT_EQ(result, untouched);
  EXPECT_EQ(heap.posix_memalign(&result, 64, 8), 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(result) % 64, 0u);
  heap.free(result);
}

TEST(AnsiHeap, SetsNoErrno) {
  Plain heap;
  heap.fail_policy().left = 0;
  errno = 0;
  EXPECT_EQ(heap.malloc(1), nullptr);
  EXPECT_EQ(heap.calloc(SIZE_MAX, 2), nullptr);
  void* result;
  EXPECT_EQ(heap.posix_memalign(&result, 64, 8), ENOMEM);
  EXPECT_EQ(errno, 0);
}

struct Note {
  void operator()(const FaultReport& report) const {
    ADD_FAILURE() << name_of(report.kind) << " of a block of " << report.size;
  }
};
template <class H>
class AnsiMix : public testing::Test {};
using Mixed =
    testing::Types<Plain, Growing, Pipe<MallocHeap, Ansi>, Pipe<MmapHeap, Ansi>,
                   Pipe<MappedHeap, Ansi>, Pipe<KingsleyHeap<MmapHeap>, Ansi>,
                   Pipe<MmapHeap, Chunk<65536>, Size, Debug<Note>, Fail<FailEvery<7>>, Ansi>>;
TYPED_TEST_SUITE(AnsiMix, Mixed);

TYPED_TEST(AnsiMix, KeepsContentsThroughRealloc) {
  TypeParam heap;
  Random random(17);
  std::vector<MixedBlock> blocks(20);
  for (size_t i = 0; i < 4000; ++i) {
    MixedBlock& block = blocks[random.below(blocks.size())];
    const size_t size = random.below(random.below(3000) + 1);
    auto* data = static_cast<unsigned char*>(heap.realloc(block.data, size));
    const bool is_freed = size == 0 && block.data != nullptr;
    if (data == nullptr && !is_freed) {
      EXPECT_TRUE(block.is_intact(block.size));
      continue;
    }
    if (is_freed) {
      EXPECT_EQ(data, nullptr);
      block = {};
      continue;
    }
    const size_t kept = block.size < size ? block.size : size;
    block.data = data;
    EXPECT_TRUE(block.is_intact(kept));
    EXPECT_GE(heap.usable_size(data), size);
    block.size = size;
    block.value = static_cast<unsigned char>(i);
    block.fill();
  }
  for (const MixedBlock& block : blocks) heap.free(block.data);
}

}  // namespace
}  // namespace mmt::layers
