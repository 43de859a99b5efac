// Seams: which moves make them, and which renewals take them away.
#include "heap/store/seams.h"

#include <gtest/gtest.h>

#include "support/region_memory.h"

namespace mmt::store {
namespace {

class SeamsTest : public testing::Test {
 protected:
  SeamsTest() {
    EXPECT_TRUE(region->open(false));
    Slot skipped_from;
    size_t skipped;
    EXPECT_EQ(region->carve(1000, 1, &skipped_from, &skipped), 0u);
    seams.open(region.get());
  }

  test::OwnedRegion region{new Region()};
  Seams seams;
};

TEST_F(SeamsTest, MovedRunHasOneAtEachEnd) {
  seams.note_moved(500, 100, 20);
  EXPECT_EQ(seams.count(), 2u);
  EXPECT_EQ(seams.whole_run(90, 50), 10u);
  EXPECT_EQ(seams.whole_run(100, 50), 20u);
  EXPECT_EQ(seams.whole_run(120, 50), 50u);
}

TEST_F(SeamsTest, RenewedRunIsOneWithItsNeighbours) {
  seams.note_moved(500, 100, 20);
  seams.note_renewed(100, 20);
  EXPECT_EQ(seams.count(), 0u);
  EXPECT_EQ(seams.whole_run(90, 50), 50u);
}

TEST_F(SeamsTest, NeighboursThatWereMovedStayApart) {
  seams.note_moved(500, 100, 20);
  seams.note_moved(600, 120, 30);
  EXPECT_EQ(seams.count(), 3u);
  seams.note_renewed(100, 20);
  EXPECT_EQ(seams.count(), 2u);
  seams.note_renewed(120, 30);
  EXPECT_EQ(seams.count(), 0u);
}

TEST_F(SeamsTest, PiecesOfAMovedRunComeAlong) {
  seams.note_moved(500, 100, 20);
  seams.note_moved(600, 120, 30);
  seams.note_moved(90, 700, 70);
  EXPECT_EQ(seams.whole_run(700, 70), 10u);
  EXPECT_EQ(seams.whole_run(710, 60), 20u);
  EXPECT_EQ(seams.whole_run(730, 40), 30u);
  EXPECT_EQ(seams.whole_run(760, 10), 10u);
}

TEST_F(SeamsTest, RenewalPaysWhereItLeavesNoMore) {
  EXPECT_FALSE(seams.renewal_pays(100, 20)) << "nothing was moved";
  seams.note_moved(500, 100, 20);
  EXPECT_TRUE(seams.renewal_pays(100, 20));
  EXPECT_TRUE(seams.renewal_pays(90, 100));
  EXPECT_TRUE(seams.renewal_pays(100, 10)) << "the seam moves on";
  EXPECT_FALSE(seams.renewal_pays(105, 10)) << "it would lie between two new ones";
  EXPECT_FALSE(seams.renewal_pays(200, 10));
}

TEST_F(SeamsTest, FillingEndsBeforeGrowthDoes) {
  Slot at = 0;
  for (; seams.allow_filling(); at += 4) seams.note_moved(900, at + 2, 2);
  EXPECT_TRUE(seams.allow_growth());
  for (; seams.allow_growth(); at += 4) seams.note_moved(900, at + 2, 2);
  EXPECT_LE(seams.count(), Seams::kMost);
}

}  // namespace
}  // namespace mmt::store
