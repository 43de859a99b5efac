// Tests of the distance between words, and of what is near enough.
#include "cli/command_line/did_you_mean.h"

#include <gtest/gtest.h>

namespace mmt::cli {
namespace {

TEST(DidYouMean, CountsLettersPutInLeftOutChangedAndSwapped) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "run"), 3u);
  EXPECT_EQ(edit_distance("run", ""), 3u);
  EXPECT_EQ(edit_distance("run", "run"), 0u);
  EXPECT_EQ(edit_distance("rum", "run"), 1u);
  EXPECT_EQ(edit_distance("jemaloc", "jemalloc"), 1u);
  EXPECT_EQ(edit_distance("grwoth", "growth"), 1u) << "swapped with the next";
  EXPECT_EQ(edit_distance("ab", "cd"), 2u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("ca", "abc"), 3u) << "no letter is changed twice";
}

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
}  // namespace mmt::cli
