// What fits a window.
#include "cli/stats/screen.h"

#include <gtest/gtest.h>

namespace mmt::cli {
namespace {

TEST(Screen, ShowsAllThatFits) {
  EXPECT_EQ(frame_of("one\ntwo\n", 3, 80), "one\033[K\ntwo\033[K\n\033[J");
}

TEST(Screen, SaysWhatDoesNot) {
  EXPECT_EQ(frame_of("one\ntwo\nthree\nfour\n", 4, 80),
            "one\033[K\ntwo\033[K\n2 more lines in a taller window\033[K\n\033[J");
}

TEST(Screen, CutsWideLines) {
  EXPECT_EQ(frame_of("123456\n", 2, 4), "1234\033[K\n\033[J");
  EXPECT_EQ(frame_of("1\n2\n3\n", 3, 6), "1\033[K\n2 more\033[K\n\033[J");
}

TEST(Screen, SmallestWindow) { EXPECT_EQ(frame_of("1\n2\n", 1, 1), "2\033[K\n\033[J"); }

}  // namespace
}  // namespace mmt::cli
