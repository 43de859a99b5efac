// The protocols' options: each value in range is taken, no other one, and the environment's list
// leaves alone what it does not name.
#include "interprocess/protocol_options.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

namespace mmt::backend {
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

bool takes(const mmt::options::Row& row, const std::string& value) {
  mmt::options::Value ignored{};
  return parse(row, {value.c_str(), value.size()}, &ignored) == nullptr;
}

TEST_F(OptionsOf, EveryOptionHasItsRange) {
  ASSERT_GT(option_table().count, 0U);
  for (const mmt::options::Row& one : option_table()) {
    EXPECT_FALSE(takes(one, "")) << one.name;
    EXPECT_FALSE(takes(one, "-1")) << one.name;
    EXPECT_FALSE(takes(one, "99999999999999999999")) << one.name;
    const std::string values = one.values;
    const std::string separator = values.find('|') != std::string::npos ? "|" : "..";
    const std::size_t at = values.find(separator);
    EXPECT_TRUE(takes(one, values.substr(0, at))) << one.name;
    EXPECT_TRUE(takes(one, values.substr(at + separator.size()))) << one.name;
    EXPECT_FALSE(takes(one, "99999999999")) << one.name;
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
}  // namespace mmt::backend
