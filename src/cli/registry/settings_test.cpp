// Tests of the parsing of library options.
#include "cli/registry/settings.h"

#include <cstdlib>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "command/failure.h"
#include "interprocess/variables.h"

namespace mmt::cli {

using command::Failure;

namespace {

template <typename Action>
std::string failure_of(Action action) {
  try {
    action();
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "no failure";
}

TEST(Settings, ListIsTakenApart) {
  const auto settings = parse_settings("follow=off::quiet=on", "test", 1);
  ASSERT_EQ(settings.size(), 2u);
  EXPECT_EQ(settings[0].name, "follow");
  EXPECT_EQ(settings[0].value, "off");
  EXPECT_EQ(settings[1].name, "quiet");
  EXPECT_TRUE(parse_settings("", "test", 1).empty());
}

TEST(Settings, StatisticsPathMayHoldColons) {
  const auto settings = parse_settings("quiet=on:stats=/tmp/a:b=c", "test", 1);
  ASSERT_EQ(settings.size(), 2u);
  EXPECT_EQ(settings[1].value, "/tmp/a:b=c");
}

TEST(Settings, ProblemsAreNamed) {
  EXPECT_EQ(failure_of([] { parse_settings("nonsense=1", "MMT_OPTIONS", 1); }),
            "MMT_OPTIONS: unknown option: 'nonsense'; 'mmt list options' shows all");
  EXPECT_EQ(failure_of([] { parse_settings("quiet", "-o", 1); }),
            "-o: 'quiet' is not of the form name=value");
  const std::string text = failure_of([] { parse_settings("quiet=maybe", "-o", 1); });
  EXPECT_NE(text.find("wrong value 'maybe' for option 'quiet'"), std::string::npos) << text;
}

TEST(Settings, WhereOneBelongsSeveralAreTold) {
  const auto failure = [](const char* text, const char* source) {
    return failure_of([=] { parse_setting(text, source, 1); });
  };
  for (const char* text : {"quiet=on,follow=off", "quiet=on:follow=off", "quiet=on follow=off"})
    EXPECT_TRUE(failure(text, "-o").ends_with("; give each option an -o of its own")) << text;
  EXPECT_TRUE(
      failure("quiet=on,follow=off", "MMT_OPTIONS").ends_with("; between options stands ':'"));
  EXPECT_TRUE(failure("quiet=maybe", "-o").ends_with(")"));
}

TEST(Settings, EnvironmentIsChecked) {
  setenv("MMT_QUIET", "perhaps", 1);
  const std::string text = failure_of([] { check_environment(1); });
  unsetenv("MMT_QUIET");
  EXPECT_NE(text.find("MMT_QUIET: wrong value 'perhaps'"), std::string::npos) << text;
  for (const options::Variable& other : options::variables()) {
    if (std::string_view(other.name) == "MMT_OPTIONS") continue;
    setenv(other.name, "x", 1);
    EXPECT_EQ(failure_of([] { check_environment(1); }), "no failure");
    unsetenv(other.name);
  }
}

TEST(Settings, NearNamesOfVariablesAreSuggested) {
  const auto failure = [](const char* variable) {
    setenv(variable, "x", 1);
    std::string text = failure_of([] { check_environment(1); });
    unsetenv(variable);
    return text;
  };
  EXPECT_EQ(failure("MMT_HUGE_PAGESS"),
            "MMT_HUGE_PAGESS: unknown option; did you mean 'MMT_HUGE_PAGES'?");
  EXPECT_EQ(failure("MMT_LIBRARI"), "MMT_LIBRARI: unknown option; did you mean 'MMT_LIBRARY'?");
  EXPECT_EQ(failure("MMT_WIBBLE"), "MMT_WIBBLE: unknown option; 'mmt list options' shows all");
}

TEST(Settings, Variables) { EXPECT_EQ(variable_of("huge_pages"), "MMT_HUGE_PAGES"); }

TEST(Settings, ReportPathsBecomeAbsolute) {
  EXPECT_EQ(report_path("-", 1), "-");
  EXPECT_EQ(report_path("/tmp/x", 1), "/tmp/x");
  EXPECT_EQ(report_path("x.json", 1).front(), '/');
  EXPECT_NE(failure_of([] { report_path("/no/such/x", 1); }).find("/no/such"), std::string::npos);
}

}  // namespace
}  // namespace mmt::cli
