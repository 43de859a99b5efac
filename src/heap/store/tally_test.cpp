// What is counted as in use and as held, and the most of both.
#include "heap/store/tally.h"

#include <gtest/gtest.h>

#include "support/free_runs_fixture.h"

namespace mmt::store {
namespace {

class TallyTest : public test::FreeRunsFixture {};

TEST_F(TallyTest, LargeBlocksAreCountedAndTheirMostIsKept) {
  tally.add_large(1000);
  tally.add_large(500);
  tally.change_large(500, 700);
  tally.remove_large(1000);
  const DepotUsage usage = counted();
  EXPECT_EQ(usage.large_bytes, 700u);
  EXPECT_EQ(usage.large_bytes_peak, 1700u);
  EXPECT_EQ(usage.large_blocks, 1u);
  EXPECT_EQ(usage.large_blocks_peak, 2u);
  EXPECT_EQ(usage.large_taken, 2u);
  EXPECT_EQ(usage.large_given, 1u);
  EXPECT_EQ(usage.peaks.used, 1700u);
}

TEST_F(TallyTest, FreeSlotsThatHoldMemoryAreHeld) {
  const Slot slot = runs.carve<Reach::kMapped>(2, 1);
  tally.change_used(0, kSlotBytes);
  EXPECT_EQ(counted().peaks.held, kSlotBytes);
  tally.change_used(kSlotBytes, 0);
  runs.slots(lock).give(slot, 2, true);
  EXPECT_EQ(counted().peaks.held, kSlotBytes) << "nobody has said so";
  tally.note_held();
  EXPECT_EQ(counted().peaks.held, 2 * kSlotBytes);
  EXPECT_EQ(counted().peaks.used, kSlotBytes);
}

TEST_F(TallyTest, CopyIsKeptUntilAChildBeginsAnew) {
  tally.change_used(0, 300);
  tally.change_used(300, 100);
  DepotPeaks copy;
  tally.copy_peaks_to(&copy);
  EXPECT_EQ(copy.used, 300u) << "what was before counts, too";
  tally.change_used(0, 400);
  EXPECT_EQ(copy.used, 500u);
  EXPECT_EQ(tally.place_of_peaks()->used, 500u);
  tally.change_used(400, 0);
  tally.begin_anew(runs);
  EXPECT_EQ(counted().peaks.used, 100u);
  tally.change_used(0, 1000);
  EXPECT_EQ(counted().peaks.used, 1100u);
  EXPECT_EQ(copy.used, 500u);
}

}  // namespace
}  // namespace mmt::store
