// What was told of is kept, and forgotten on demand.
#include "harden/told.h"

#include <gtest/gtest.h>

namespace mmt::harden {
namespace {

char places[100];

TEST(Told, IsToldOnceUntilItIsForgotten) {
  EXPECT_FALSE(forget_told(&places[0]));
  EXPECT_TRUE(note_told(&places[0]));
  EXPECT_FALSE(note_told(&places[0]));
  EXPECT_TRUE(note_told(&places[1]));
  EXPECT_TRUE(forget_told(&places[0]));
  EXPECT_FALSE(forget_told(&places[0]));
  EXPECT_TRUE(note_told(&places[0]));
  EXPECT_FALSE(note_told(&places[1]));
}

TEST(Told, KeepsTheLast) {
  for (const char& place : places) EXPECT_TRUE(note_told(&place) || &place <= &places[1]);
  EXPECT_FALSE(note_told(&places[99]));
  EXPECT_FALSE(note_told(&places[50]));
  EXPECT_TRUE(note_told(&places[2]));
}

}  // namespace
}  // namespace mmt::harden
