// Tests of the distance between words.
#include "interprocess/nearest.h"

#include <cstring>
#include <string>

#include <gtest/gtest.h>

namespace mmt::options {
namespace {

size_t distance(const char* one, const char* other) {
  return edit_distance({one, std::strlen(one)}, {other, std::strlen(other)});
}

std::string nearest(const std::string& written, const char* words) {
  Nearest nearest({written.data(), written.size()});
  nearest.offer_each(words);
  return {nearest.word().data, nearest.word().size};
}

TEST(Nearest, CountsLettersPutInLeftOutChangedAndSwapped) {
  EXPECT_EQ(distance("", ""), 0u);
  EXPECT_EQ(distance("", "run"), 3u);
  EXPECT_EQ(distance("run", ""), 3u);
  EXPECT_EQ(distance("run", "run"), 0u);
  EXPECT_EQ(distance("rum", "run"), 1u);
  EXPECT_EQ(distance("jemaloc", "jemalloc"), 1u);
  EXPECT_EQ(distance("grwoth", "growth"), 1u) << "swapped with the next";
  EXPECT_EQ(distance("ab", "cd"), 2u);
  EXPECT_EQ(distance("kitten", "sitting"), 3u);
  EXPECT_EQ(distance("ca", "abc"), 3u) << "no letter is changed twice";
  EXPECT_EQ(distance("HUGE_PAGES", "huge-pages"), 0u);
}

TEST(Nearest, WordsMayBeAsLongAsTheyMayBe) {
  const std::string longest(kLongestWord, 'x');
  EXPECT_EQ(distance(longest.c_str(), ""), kLongestWord);
  EXPECT_EQ(nearest(longest, (longest.substr(1) + "y").c_str()), longest.substr(1) + "y");
  EXPECT_EQ(nearest(longest + "x", longest.c_str()), "");
  EXPECT_EQ(nearest(longest, (longest + "x").c_str()), "");
}

TEST(Nearest, OneOfSeveralWords) {
  EXPECT_EQ(nearest("offf", "auto|on|off"), "off");
  EXPECT_EQ(nearest("of", "auto|on|off"), "off") << "not 'on', which is as near";
  EXPECT_EQ(nearest("Auto", "auto|on|off"), "auto");
  EXPECT_EQ(nearest("aut", "auto|on|off"), "auto");
  EXPECT_EQ(nearest("perhaps", "auto|on|off"), "");
  EXPECT_EQ(nearest("", "auto|on|off"), "");
  EXPECT_EQ(nearest("5", "0..1T"), "");
}

}  // namespace
}  // namespace mmt::options
