// Tests of the composition of LD_PRELOAD.
#include "cli/preload.h"

#include <gtest/gtest.h>

#include "cli/failure.h"

namespace mmt::cli {
namespace {

TEST(Preload, GoesFirst) {
  EXPECT_EQ(prepend_preload("/a/libmmt.so", ""), "/a/libmmt.so");
  EXPECT_EQ(prepend_preload("/a/libmmt.so", "/b.so"), "/a/libmmt.so:/b.so");
  EXPECT_EQ(prepend_preload("/a/libmmt.so", "/b.so /c.so:/d.so"), "/a/libmmt.so:/b.so:/c.so:/d.so");
}

TEST(Preload, IsNotNamedTwice) {
  EXPECT_EQ(prepend_preload("/a/libmmt.so", "/b.so:/a/libmmt.so"), "/a/libmmt.so:/b.so");
  EXPECT_EQ(prepend_preload("/a/libmmt.so", "  /a/libmmt.so::"), "/a/libmmt.so");
}

TEST(Preload, RefusesPathsThatItCannotExpress) {
  for (const char* path : {"/a b/libmmt.so", "/a:b/libmmt.so", "/$LIB/libmmt.so"}) {
    try {
      prepend_preload(path, "");
      ADD_FAILURE() << path;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), kRunFailed);
      EXPECT_NE(std::string(failure.what()).find(path), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace mmt::cli
