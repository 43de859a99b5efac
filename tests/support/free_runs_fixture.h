// The fixture has what every part of a depot rests on, for a test of one part on real pages. These
// are a region, its free runs, and what is counted. There is one thread, and the holder of the lock
// is a double.
#pragma once

#include <gtest/gtest.h>

#include "heap/store/free_runs.h"
#include "heap/store/prepared_memory.h"
#include "heap/store/region.h"
#include "heap/store/tally.h"
#include "support/held_lock.h"
#include "support/region_memory.h"

namespace mmt::test {

class FreeRunsFixture : public ::testing::Test {
 protected:
  // The calls under the lock map nothing: what they need is there.
  FreeRunsFixture() {
    EXPECT_TRUE(region.open(false));
    EXPECT_TRUE(region.map_through(size_t{256} << 20));
    runs.open(&region, &prepared);
    tally.open(&runs);
  }
  ~FreeRunsFixture() override { return_memory(region); }

  store::DepotUsage counted() const {
    store::DepotUsage usage{};
    tally.measure(&usage);
    return usage;
  }

  // Every slot below the frontier is free, in a span, or in a large block.
  void check_slots(size_t span_slots, size_t large_slots) {
    runs.reclaim_skipped(lock);
    const store::SlotMap& slots = runs.slots(lock);
    EXPECT_EQ(runs.ever_used(), slots.free_slots() + span_slots + large_slots);
    EXPECT_LE(slots.dirty_slots(), slots.free_slots());
    const store::DepotUsage usage = counted();
    EXPECT_LE(usage.large_bytes, usage.large_bytes_peak);
    EXPECT_EQ(usage.large_taken - usage.large_given, usage.large_blocks);
    const size_t used = (span_slots << store::kSlotShift) + usage.large_bytes;
    EXPECT_LE(used, usage.peaks.used);
    EXPECT_LE(used + runs.dirty_bytes(), usage.peaks.held);
  }

  const HeldLock lock{};
  store::Region region;
  store::PreparedMemory prepared;
  store::FreeRuns runs;
  store::Tally tally;
};

}  // namespace mmt::test
