// What is known of memory that was made resident ahead of use.
#include "heap/store/prepared_memory.h"

#include <gtest/gtest.h>

namespace mmt::store {
namespace {

TEST(PreparedMemory, NothingIsKnownAtFirst) {
  const PreparedMemory prepared;
  EXPECT_EQ(prepared.through(), 0u);
  EXPECT_FALSE(prepared.has_all(0, 1));
  EXPECT_FALSE(prepared.has_some(0, 1));
}

TEST(PreparedMemory, PiecesWithoutAGapAreOne) {
  PreparedMemory prepared;
  prepared.note(100, 50);
  prepared.note(150, 50);
  EXPECT_EQ(prepared.through(), 200u);
  EXPECT_TRUE(prepared.has_all(100, 100));
  EXPECT_FALSE(prepared.has_all(99, 2));
  EXPECT_TRUE(prepared.has_some(99, 2));
  EXPECT_FALSE(prepared.has_some(99, 1));
  EXPECT_FALSE(prepared.has_all(199, 2));
  EXPECT_TRUE(prepared.has_some(199, 2));
  EXPECT_FALSE(prepared.has_some(200, 1));
}

TEST(PreparedMemory, BeyondAGapOnlyTheLatestIsKnown) {
  PreparedMemory prepared;
  prepared.note(100, 50);
  prepared.note(300, 50);
  EXPECT_EQ(prepared.through(), 350u);
  EXPECT_FALSE(prepared.has_some(100, 50));
  EXPECT_TRUE(prepared.has_all(300, 50));
}

TEST(PreparedMemory, WhatIsForgottenIsUnknown) {
  PreparedMemory prepared;
  prepared.note(100, 50);
  prepared.forget();
  EXPECT_EQ(prepared.through(), 0u);
  EXPECT_FALSE(prepared.has_some(100, 50));
}

}  // namespace
}  // namespace mmt::store
