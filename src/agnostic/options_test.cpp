// The protocols' options: each value in range is taken, no other one, and the environment's list
// leaves alone what it does not name.
#include "agnostic/options.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

namespace mmt::agnostic {
namespace {

class OptionsOf : public testing::Test {
 protected:
  void TearDown() override {
    ::unsetenv("MMT_PROTOCOL_OPTIONS");
    options = Options{};
  }
  static void read(const char* text) {
    ::setenv("MMT_PROTOCOL_OPTIONS", text, 1);
    options = Options{};
    read_options();
  }
};

bool takes(const OptionInfo& info, const std::string& value) {
  Options ignored;
  return set_option(info, value.c_str(), static_cast<uint32_t>(value.size()), &ignored);
}

TEST_F(OptionsOf, EveryOptionHasItsRange) {
  uint32_t count = 0;
  const OptionInfo* table = option_table(&count);
  ASSERT_GT(count, 0U);
  for (uint32_t i = 0; i < count; ++i) {
    const OptionInfo& one = table[i];
    EXPECT_FALSE(takes(one, "")) << one.name;
    EXPECT_FALSE(takes(one, "-1")) << one.name;
    EXPECT_FALSE(takes(one, "99999999999999999999")) << one.name;
    if (one.choices != nullptr) {
      const std::string choices = one.choices;
      const size_t bar = choices.find('|');
      EXPECT_TRUE(takes(one, choices.substr(0, bar))) << one.name;
      EXPECT_TRUE(takes(one, choices.substr(bar + 1))) << one.name;
      EXPECT_FALSE(takes(one, "0")) << one.name;
    } else {
      EXPECT_TRUE(takes(one, std::to_string(one.least))) << one.name;
      EXPECT_TRUE(takes(one, std::to_string(one.most))) << one.name;
      EXPECT_FALSE(takes(one, std::to_string(one.most + 1ULL))) << one.name;
    }
  }
}

TEST_F(OptionsOf, AListSetsWhatItNames) {
  read("base=7,refill=at-half,depth=9");
  EXPECT_EQ(options.base, 7U);
  EXPECT_EQ(options.refill, Refill::kAtHalf);
  EXPECT_EQ(options.depth, 9U);
  EXPECT_EQ(options.slope, Options{}.slope);
}

TEST_F(OptionsOf, WhatIsNotUnderstoodIsLeftAlone) {
  for (const char* text : {"", ",", "base", "base=", "base=x", "none=3", "=", "bas=3", "basee=3"}) {
    read(text);
    EXPECT_EQ(options.base, Options{}.base) << text;
  }
  read("none=3,base=8,");
  EXPECT_EQ(options.base, 8U);
}

}  // namespace
}  // namespace mmt::agnostic
