// The checks: which tiers evaluate what, and the one line a failing check leaves.
#include <gtest/gtest.h>

#include <mmt/core/check.h>

namespace mmt::core {
namespace {

bool noted(int* evaluated, bool value) {
  ++*evaluated;
  return value;
}

TEST(Check, GoodConditionsPass) {
  int evaluated = 0;
  MMT_CHECK(noted(&evaluated, true));
  EXPECT_EQ(evaluated, 1);
  MMT_DEBUG_CHECK(noted(&evaluated, true), "text");
  EXPECT_EQ(evaluated, kDebugChecks ? 2 : 1);
  MMT_PARANOID_CHECK(noted(&evaluated, true), "text", 1, 2);
  EXPECT_EQ(evaluated, 1 + (kDebugChecks ? 1 : 0) + (kParanoidChecks ? 1 : 0));
}

TEST(CheckDeathTest, BadOnesSayWhatAndWhere) {
  const int three = 3;
  EXPECT_DEATH(MMT_CHECK(three == 4),
               "^mmt: check failed: three == 4 at .*check_test.cpp:[0-9]+\n$");
  EXPECT_DEATH(MMT_CHECK(three == 4, "the sum"), "check_test.cpp:[0-9]+: the sum\n$");
  EXPECT_DEATH(MMT_CHECK(three == 4, "the sum", 0xabc, 7), ": the sum \\(0xabc, 0x7\\)\n$");
}

TEST(CheckDeathTest, TiersThatAreOffCheckNothing) {
  if (!kDebugChecks) MMT_DEBUG_CHECK(false, "off");
  if (!kParanoidChecks) MMT_PARANOID_CHECK(false, "off");
}

TEST(CheckLine, CutsWhatDoesNotFit) {
  testing::internal::CaptureStderr();
  CheckLine line;
  for (int i = 0; i < 100; ++i) line.text("0123456789");
  line.write_to(2);
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.size(), 512U);
  EXPECT_EQ(text.back(), '\n');
}

TEST(CheckLine, WritesNumbers) {
  testing::internal::CaptureStderr();
  CheckLine line;
  line.decimal(0).text(" ").decimal(~uint64_t{0}).text(" ").hex(~uint64_t{0}).write_to(2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "0 18446744073709551615 0xffffffffffffffff\n");
}

}  // namespace
}  // namespace mmt::core
