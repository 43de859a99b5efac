// Tests of the suite files and of what workloads report.
#include "cli/measure/bench_suite.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "cli/failure.h"
#include "cli/machine/cpu_list.h"
#include "cli/measure/bench_run.h"

namespace mmt::cli {
namespace {

std::string failure_of(const std::string& text) {
  try {
    parse_suite(text, "/suites/x.json");
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "no failure";
}

TEST(Suite, IsReadWithItsPlaceholders) {
  setenv("MMT_BENCH_WORKLOADS", "/w", 1);
  const auto programs = parse_suite(R"({"schema": 1, "name": "growth", "programs": [
    {"name": "tree", "command": ["{workloads}/tree", "{suite}/a", "{tmp}/b"], "runs": 3,
     "pin": "0", "metrics": ["build"], "env": {"A": "{suite}"}, "same_output": true},
    {"name": "plain", "command": ["true"], "comment": "nothing"}]})",
                                    "/suites/growth.json");
  unsetenv("MMT_BENCH_WORKLOADS");
  ASSERT_EQ(programs.size(), 2u);
  EXPECT_EQ(programs[0].suite, "growth");
  EXPECT_EQ(programs[0].command, (std::vector<std::string>{"/w/tree", "/suites/a", "{tmp}/b"}));
  EXPECT_EQ(programs[0].runs, 3);
  EXPECT_EQ(programs[0].environment[0].second, "/suites");
  EXPECT_TRUE(programs[0].same_output);
  EXPECT_EQ(programs[1].runs, kDefaultRuns);
}

TEST(Suite, ProblemsNameTheFileAndTheProgram) {
  EXPECT_NE(failure_of("{").find("/suites/x.json"), std::string::npos);
  EXPECT_NE(failure_of(R"({"schema": 2, "name": "x", "programs": []})").find("schema"),
            std::string::npos);
  EXPECT_NE(failure_of(R"({"schema": 1, "name": "x", "programs": [{"name": "p", "comand": []}]})")
                .find("program 'p': unknown key 'comand'"),
            std::string::npos);
  EXPECT_NE(
      failure_of(R"({"schema": 1, "name": "x", "programs": [{"name": "p"}]})").find("no command"),
      std::string::npos);
  EXPECT_NE(failure_of(R"({"schema": 1, "name": "x", "programs": [
                          {"name": "p", "command": ["true"], "pin": "first"}]})")
                .find("'first' is no list of CPUs"),
            std::string::npos);
}

TEST(Suite, ReportsAreLinesOfKeyValueUnit) {
  const auto values = parse_report("build 0.4123 s\n\nmalloc_p99 252 ns\nrate 1e6 1/s\n");
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0].key, "build");
  EXPECT_EQ(values[1].value, 252);
  EXPECT_EQ(values[2].unit, "1/s");
  EXPECT_THROW(parse_report("build fast s\n"), Failure);
  EXPECT_THROW(parse_report("build 1\n"), Failure);
}

TEST(CpuList, Forms) {
  EXPECT_EQ(parse_cpu_list("0"), (std::vector<int>{0}));
  EXPECT_EQ(parse_cpu_list("0,2-4"), (std::vector<int>{0, 2, 3, 4}));
  EXPECT_EQ(parse_cpu_list(""), std::vector<int>{});
  for (const char* bad : {"x", "1-", "-1", "3-1", "0,", "1024", "0-0-1"}) {
    EXPECT_FALSE(parse_cpu_list(bad)) << bad;
  }
}

}  // namespace
}  // namespace mmt::cli
