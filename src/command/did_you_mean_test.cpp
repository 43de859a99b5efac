// Tests of what is near enough.
#include "command/did_you_mean.h"

#include <gtest/gtest.h>

namespace mmt::command {
namespace {

TEST(DidYouMean, FindsTheNearest) {
  const std::vector<std::string> verbs{"run", "stats", "list", "doctor", "report"};
  EXPECT_EQ(nearest("rum", verbs), "run");
  EXPECT_EQ(nearest("sttas", verbs), "stats");
  EXPECT_EQ(nearest("Doctor", verbs), "doctor");
  EXPECT_EQ(nearest("repo", verbs), "report") << "a beginning";
  EXPECT_EQ(nearest("lst", verbs), "list");
}

TEST(DidYouMean, TakesBothSpellings) {
  const std::vector<std::string> options{"--huge-pages", "--huge-from"};
  EXPECT_EQ(nearest("--hugepages", options), "--huge-pages");
  EXPECT_EQ(nearest("--huge_pages", options), "--huge-pages");
}

TEST(DidYouMean, KeepsQuietWhenNothingIsNear) {
  const std::vector<std::string> names{"run", "lea", "phk"};
  EXPECT_EQ(nearest("nonsense", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("x", names), "");
  EXPECT_EQ(nearest("run", {}), "");
  EXPECT_EQ(did_you_mean("nonsense", names), "");
  EXPECT_EQ(did_you_mean("ran", names), "; did you mean 'run'?");
}

}  // namespace
}  // namespace mmt::command
