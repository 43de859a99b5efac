// What looks at single pages tell of a kind of blocks.
#include "heap/object/touched_share.h"

#include <gtest/gtest.h>

namespace mmt::heap {
namespace {

struct Looks {
  TouchedShare share;
  void note(int count, bool touched) {
    for (int i = 0; i < count; ++i) share.note(touched);
  }
};

TEST(TouchedShareTest, NothingIsTrustedBeforeItWasSeen) {
  Looks looks;
  EXPECT_FALSE(looks.share.is_dense());
  looks.note(TouchedShare::kLeast - 1, true);
  EXPECT_FALSE(looks.share.is_known());
  EXPECT_FALSE(looks.share.is_dense());
  looks.note(1, true);
  EXPECT_TRUE(looks.share.is_known());
  EXPECT_TRUE(looks.share.is_dense());
}

TEST(TouchedShareTest, OnePageInEightMayBeUntouched) {
  Looks looks;
  looks.note(1, false);
  looks.note(7, true);
  EXPECT_TRUE(looks.share.is_dense());
  Looks worse;
  worse.note(2, false);
  worse.note(6, true);
  EXPECT_TRUE(worse.share.is_known());
  EXPECT_FALSE(worse.share.is_dense());
}

TEST(TouchedShareTest, AHalfIsNotDense) {
  Looks looks;
  for (int i = 0; i < 100; ++i) {
    looks.share.note(i % 2 == 0);
    EXPECT_FALSE(looks.share.is_dense());
  }
}

TEST(TouchedShareTest, DenseUseMayEnd) {
  Looks looks;
  looks.note(1000, true);
  looks.note(1, false);
  EXPECT_TRUE(looks.share.is_dense());
  looks.note(1, false);
  EXPECT_FALSE(looks.share.is_dense());
}

TEST(TouchedShareTest, SinglePagesMayBeUntouchedNowAndThen) {
  Looks looks;
  looks.note(16, true);
  for (int i = 0; i < 2; ++i) {
    looks.note(1, false);
    looks.note(4, true);
    EXPECT_TRUE(looks.share.is_dense());
  }
  looks.note(1, false);
  EXPECT_FALSE(looks.share.is_dense()) << "three of sixteen";
}

TEST(TouchedShareTest, DenseUseMayBegin) {
  Looks looks;
  looks.note(1000, false);
  looks.note(13, true);
  EXPECT_FALSE(looks.share.is_dense());
  looks.note(1, true);
  EXPECT_TRUE(looks.share.is_dense());
}

TEST(TouchedShareTest, IsOneWord) {
  Looks looks;
  looks.note(5, true);
  looks.note(1, false);
  looks.note(2, true);
  EXPECT_EQ(TouchedShare{}.pack(), 0u);
  TouchedShare copy = TouchedShare::unpack(looks.share.pack());
  EXPECT_TRUE(copy.is_dense());
  copy.note(false);
  EXPECT_FALSE(copy.is_dense());
}

}  // namespace
}  // namespace mmt::heap
