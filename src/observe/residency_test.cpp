// The heap's three figures agree with what the kernel says of the process. The mapped bytes are
// right to the byte, the resident ones nearly so, and the charged ones are never less.
#include "observe/residency.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>

#include "heap/object/thread_state.h"
#include "heap/pages/changed_pages.h"
#include "heap/process/allocation.h"
#include "observe/census.h"
#include "support/fresh_heap.h"
#include "support/smaps.h"
#include "support/units.h"

namespace mmt::observe {
namespace {

using test::kMiB;

using heap::allocate;
using heap::deallocate;

// As each heap of a program does, its region begins at any of some slots.
class ResidencyTest : public testing::TestWithParam<store::Slot> {
 protected:
  // The thread sanitizer has mappings of its own for each of the program's.
  void expect_as_the_kernel_says() {
    if constexpr (core::kThreadSanitizer) return;
    const test::Smaps now = test::Smaps::now();
    static Census census;
    take_census(heap, &census, heap::thread_id(), CensusLock::kWhole);
    const size_t resident = resident_bytes(heap, heap::thread_id());
    EXPECT_EQ(census.mapped_bytes, now.size - before.size);
    const auto rss = static_cast<double>(now.resident - before.resident);
    EXPECT_NEAR(static_cast<double>(resident), rss, rss * 0.02 + 1.0 * kMiB);
    EXPECT_GE(census.charged_bytes, resident);
    EXPECT_LE(census.charged_bytes, census.mapped_bytes);
  }
  void* take(size_t bytes, bool touches = true) {
    void* const block = allocate(heap, bytes);
    if (touches) memset(block, 1, bytes);
    return block;
  }

  static inline void* blocks[100'000];  // no allocation of the test's own counts
  test::Smaps before = test::Smaps::now();
  test::FreshHeap heap{GetParam()};
};

TEST_P(ResidencyTest, OfAnEmptyHeap) { expect_as_the_kernel_says(); }

TEST_P(ResidencyTest, OfSmallBlocksThatComeAndGo) {
  for (void*& block : blocks) block = take(300);
  expect_as_the_kernel_says();
  for (void* block : blocks) deallocate(heap, block);
  expect_as_the_kernel_says();
  heap::trim(heap);
  expect_as_the_kernel_says();
}

TEST_P(ResidencyTest, OfLargeBlocksThatAreHardlyUsed) {
  for (int i = 0; i < 50; ++i) blocks[i] = take(3 * kMiB, i % 2 == 0);
  expect_as_the_kernel_says();
  for (int i = 0; i < 50; i += 3) deallocate(heap, blocks[i]);
  expect_as_the_kernel_says();
  heap::trim(heap);
  expect_as_the_kernel_says();
}

TEST_P(ResidencyTest, OfBlocksThatGrowAndMove) {
  for (int i = 0; i < 20; ++i) blocks[i] = take(kMiB);
  for (int i = 0; i < 20; ++i) {
    blocks[i] = heap::reallocate(heap, blocks[i], (i + 2) * kMiB);
    expect_as_the_kernel_says();
  }
}

TEST_P(ResidencyTest, OfMappingsOfTheirOwn) {
  blocks[0] = take(300 * kMiB, false);
  expect_as_the_kernel_says();
  memset(blocks[0], 1, 10 * kMiB);
  blocks[0] = heap::reallocate(heap, blocks[0], 400 * kMiB);
  expect_as_the_kernel_says();
  blocks[1] = heap::reallocate(heap, take(10 * kMiB), 300 * kMiB);
  expect_as_the_kernel_says();
  deallocate(heap, blocks[0]);
  expect_as_the_kernel_says();
}

// The last one reaches beyond all that was taken.
TEST_P(ResidencyTest, OfHugePages) {
  for (int i = 0; i < 10; ++i) blocks[i] = take(3 * kMiB, false);
  const store::Region& region = heap.depot.region();
  const size_t first = size_t{region.first()} << store::kSlotShift;
  sys::prefer_huge_pages(region.base() + first, region.mapped_bytes() - first);
  for (int i = 0; i < 10; ++i) static_cast<char*>(blocks[i])[3 * kMiB - 1] = 1;
  expect_as_the_kernel_says();
  for (int i = 1; i < 10; ++i) deallocate(heap, blocks[i]);
  expect_as_the_kernel_says();
  heap::trim(heap);
  expect_as_the_kernel_says();
  static_cast<char*>(take(64 << 10))[0] = 1;
  expect_as_the_kernel_says();
}

TEST_P(ResidencyTest, AllIsChargedWhereAllIsLocked) {
  take(3 * kMiB);
  heap::note_mlockall(heap, true);
  static Census census;
  take_census(heap, &census, heap::thread_id(), CensusLock::kWhole);
  EXPECT_EQ(census.charged_bytes, census.mapped_bytes);
}

INSTANTIATE_TEST_SUITE_P(Any, ResidencyTest, testing::Values(0, 1, 21));

}  // namespace
}  // namespace mmt::observe
