// The report in words: what each line counts, and how many lines there are.
#include "cli/stats/heap_lines.h"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "interprocess/stats_page.h"

namespace mmt::cli {
namespace {

using observe::Stat;

// The figures of a program that has everything in it, and numbers that are long.
HeapFigures large_figures() {
  HeapFigures figures;
  figures.has_exited = figures.all_exited = false;
  figures.cpu_seconds = 1234;
  figures.resident_peak = figures.asked_peak = figures.held_peak = 123ULL << 30;
  figures.page_faults = figures.taken = figures.given = 1'234'567'890;
  figures.taken_a_second = 12'345'678;
  figures.threads = 1234;
  figures.counters.assign(static_cast<std::size_t>(Stat::kCount), 1'234'567'890);
  figures.last = figures.counters;
  figures.last[static_cast<std::size_t>(Stat::kServerState)] = 5;
  return figures;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(HeapLines, AreTenWithTheHeadingHoweverLongTheNumbers) {
  const auto all = heap_lines(large_figures());
  ASSERT_EQ(all.size(), 8U);
  const std::string text = below_heading(all);
  EXPECT_LE(lines_of(text).size(), 9U) << text;
  for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 80U) << line;
  const std::string below = "\n" + text;
  for (const char* name :
       {"CPU time", "asked for", "held by MMT", "resident", "blocks", "memory thread"})
    EXPECT_NE(below.find(std::string("\n  ") + name), std::string::npos) << name;
}

TEST(HeapLines, GiveUpNothingThatHasRoom) {
  const HeapLines lines{{"asked for", "1 B"}, {"large blocks", "1"}, {"pages", "2"}};
  EXPECT_EQ(lines_of(below_heading(lines)).size(), 3U);
}

TEST(HeapLines, GiveUpOnlyAsManyAsTheyHaveTo) {
  HeapLines lines(7, {"asked for", "1 B"});
  lines.push_back({"large blocks", "1"});
  lines.push_back({"pages", "2"});
  EXPECT_EQ(lines_of(below_heading(lines)).size(), 9U);
  lines.push_back({"memory thread", "serves"});
  const std::string text = below_heading(lines);
  EXPECT_EQ(lines_of(text).size(), 9U);
  EXPECT_EQ(text.find("large blocks"), std::string::npos);
  EXPECT_NE(text.find("pages"), std::string::npos);
}

TEST(HeapLines, ABoundThatIsAllThatALittleHeapHeldIsNoPeak) {
  HeapFigures figures;
  figures.processes = 1;
  figures.taken = 164;
  figures.held_peak = 3 << 20;
  figures.asked_peak = 2 << 20;
  EXPECT_NE(below_heading(heap_lines(figures)).find("at most 2.00 MiB at once, "),
            std::string::npos);
  figures.asked_peak = figures.held_peak;
  EXPECT_NE(below_heading(heap_lines(figures)).find("at most what MMT held, "), std::string::npos);
  figures.asked_peak = figures.held_peak = 5 << 20;
  EXPECT_NE(below_heading(heap_lines(figures)).find("at most 5.00 MiB at once, "),
            std::string::npos);
}

TEST(HeapLines, TheRateIsOfBlocksTaken) {
  HeapFigures figures;
  figures.taken = 3000;
  figures.given = 2000;
  figures.taken_a_second = 1500;
  const std::string text = below_heading(heap_lines(figures));
  EXPECT_NE(text.find("3,000 taken (1,500/s), 2,000 freed\n"), std::string::npos) << text;
  figures.given = 0;
  const std::string kept = below_heading(heap_lines(figures));
  EXPECT_NE(kept.find("3,000 taken (1,500/s)\n"), std::string::npos) << kept;
}

// Those that a thread's cache serves again are not seen.
TEST(HeapLines, BlocksAreALowerBoundAlsoWhereAllHaveExited) {
  HeapFigures figures;
  figures.taken = 30;
  figures.given = 20;
  for (const bool all_exited : {true, false}) {
    figures.has_exited = figures.all_exited = all_exited;
    const std::string text = below_heading(heap_lines(figures));
    EXPECT_NE(text.find("  blocks         at least 30 taken, 20 freed\n"), std::string::npos)
        << text;
  }
}

TEST(HeapLines, SayThatNoBlockHasLeftTheCaches) {
  HeapFigures figures;
  figures.asked_peak = figures.held_peak = 1 << 20;
  const std::string text = below_heading(heap_lines(figures));
  EXPECT_NE(text.find("  blocks         few left the threads' caches\n"), std::string::npos)
      << text;
}

TEST(HeapLines, WhatIsGivenBackNeedNotHaveBeenResident) {
  HeapFigures figures;
  figures.counters.resize(static_cast<std::size_t>(Stat::kCount));
  figures.counters[static_cast<std::size_t>(Stat::kPurgedBytes)] = 1 << 30;
  const std::string text = below_heading(heap_lines(figures));
  EXPECT_NE(text.find("  pages          up to 1.00 GiB given back\n"), std::string::npos) << text;
}

TEST(HeapLines, BearRatesThatFitNoNumber) {
  HeapFigures figures = large_figures();
  figures.taken_a_second = 1e300;
  EXPECT_NE(below_heading(heap_lines(figures)).find("(1,000,000,000,000,000,000/s)"),
            std::string::npos);
}

}  // namespace
}  // namespace mmt::cli
