// Samples of a process that becomes another program between them.
#include "cli/stats/process_report.h"

#include <string>

#include <gtest/gtest.h>

#include "interprocess/stats_page.h"

namespace mmt::cli {
namespace {

Sample sample(std::size_t figures, std::uint64_t value) {
  Sample one;
  one.process = 12;
  one.program = "a\x1b[31m";
  one.values.assign(figures, value);
  one.facts.seconds = 1;
  return one;
}

TEST(ProcessReport, BearsFiguresThatComeAndGo) {
  Sample before = sample(1, 1);
  Sample now = sample(std::size(observe::kStatFields), 5);
  now.taken = before.taken + std::chrono::seconds(1);
  const std::string grown = table_of(now, &before);
  EXPECT_EQ(grown.find("inf"), std::string::npos);
  EXPECT_NE(table_of(before, &now).find("in_use_bytes"), std::string::npos);
  EXPECT_NE(lines_of(before, &now).find("process 12"), std::string::npos);
}

TEST(ProcessReport, ShowsNamesVisibly) {
  const Sample now = sample(std::size(observe::kStatFields), 5);
  for (const std::string& text : {table_of(now, nullptr), lines_of(now, nullptr), json_of(now, 2)})
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(lines_of(now, nullptr).find("(a\\x1b[31m)"), std::string::npos);
}

}  // namespace
}  // namespace mmt::cli
