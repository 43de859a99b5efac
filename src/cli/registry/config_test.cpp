// Tests of the configuration files' format.
#include "cli/registry/config.h"

#include <gtest/gtest.h>

#include "command/failure.h"

namespace mmt::cli {

using command::Failure;

namespace {

std::string failure_of(const std::string& text) {
  try {
    parse_config(text, "x.toml", 1);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "no failure";
}

TEST(Config, ValuesAreTextsNumbersAndFlags) {
  const auto settings =
      parse_config("[options]\nhuge_pages = \"off\"\ndecay = 500\nquiet = true\n", "x.toml", 1);
  ASSERT_EQ(settings.size(), 3u);
  for (const Setting& one : settings) {
    const std::string expected = one.name == "huge_pages" ? "off"
                                 : one.name == "decay"    ? "500"
                                                          : "on";
    EXPECT_EQ(one.value, expected) << one.name;
  }
  EXPECT_TRUE(parse_config("", "x.toml", 1).empty());
}

TEST(Config, ProblemsNameTheFile) {
  EXPECT_NE(failure_of("[options\n").find("x.toml: line 1:"), std::string::npos);
  EXPECT_NE(failure_of("[option]\n").find("x.toml: 'option' is no part"), std::string::npos);
  EXPECT_NE(failure_of("[options]\nnonsense = 1\n").find("'nonsense'"), std::string::npos);
  EXPECT_NE(failure_of("[options]\nquiet = \"maybe\"\n").find("'maybe'"), std::string::npos);
  EXPECT_NE(failure_of("[options]\ndecay = 1.5\n").find("a whole number"), std::string::npos);
  EXPECT_NE(failure_of("[options]\nstats = \"/tmp/x\"\n").find("'stats'"), std::string::npos);
}

}  // namespace
}  // namespace mmt::cli
