// Tests of the composition of LD_PRELOAD.
#include "programs/preload.h"

#include <gtest/gtest.h>

#include "command/failure.h"

namespace mmt::programs {

using command::Failure;
using command::kRunFailed;

namespace {

TEST(Preload, GoesFirst) {
  EXPECT_EQ(prepend_preloads("/a/libmmt.so", ""), "/a/libmmt.so");
  EXPECT_EQ(prepend_preloads("/a/libmmt.so", "/b.so"), "/a/libmmt.so:/b.so");
  EXPECT_EQ(prepend_preloads("/a/libmmt.so", "/b.so /c.so:/d.so"),
            "/a/libmmt.so:/b.so:/c.so:/d.so");
  EXPECT_EQ(prepend_preloads("/a.so:/b.so", "/c.so"), "/a.so:/b.so:/c.so");
}

TEST(Preload, IsNotNamedTwice) {
  EXPECT_EQ(prepend_preloads("/a/libmmt.so", "/b.so:/a/libmmt.so"), "/a/libmmt.so:/b.so");
  EXPECT_EQ(prepend_preloads("/a/libmmt.so", "  /a/libmmt.so::"), "/a/libmmt.so");
  EXPECT_EQ(prepend_preloads("/a.so:/b.so", "/b.so /c.so /a.so"), "/a.so:/b.so:/c.so");
}

TEST(Preload, InheritedOnesAreTakenOut) {
  EXPECT_EQ(without_preloads("/a.so:/b.so:/c.so", "/a.so:/c.so"), "/b.so");
  EXPECT_EQ(without_preloads("/a.so /b.so", "/a.so:/b.so"), "");
  EXPECT_EQ(without_preloads("/x/a.so:/b.so", "/a.so"), "/x/a.so:/b.so");
  EXPECT_EQ(without_preloads("/a.so", ""), "/a.so");
}

TEST(Preload, RefusesPathsThatItCannotExpress) {
  for (const char* path : {"/a b/libmmt.so", "/a:b/libmmt.so", "/$LIB/libmmt.so"}) {
    try {
      check_preloadable(path, "move it");
      ADD_FAILURE() << path;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), kRunFailed);
      EXPECT_NE(std::string(failure.what()).find(path), std::string::npos);
      EXPECT_TRUE(std::string(failure.what()).ends_with("; move it"));
    }
  }
}

}  // namespace
}  // namespace mmt::programs
