// Tests of the benchmark summary and of its reporters on one small result made by hand.
#include "report/bench_summary.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/bench_reporters.h"

namespace mmt::report {
namespace {

Cell cell(const std::string& name, std::vector<double> wall, std::vector<double> rate) {
  Cell cell{name, {}, {{kWall, "s", {}}, {"requests", "1/s", {}}}};
  for (std::size_t i = 0; i < wall.size(); ++i) {
    cell.metrics[0].samples.push_back({static_cast<int>(i), wall[i]});
    cell.metrics[1].samples.push_back({static_cast<int>(i), rate[i]});
  }
  return cell;
}

BenchResult sample_result() {
  BenchResult result;
  result.allocators = {{"glibc", "", "", "libc.so.6", false},
                       {"mmt", "/x/libmmt.so", "", "/x/libmmt.so", true},
                       {"jemalloc", "/x/libjemalloc.so.2", "", "/x/libjemalloc.so.2", false}};
  result.programs.push_back(
      {"growth",
       "tree",
       {"tree", "--nodes", "10"},
       "",
       {},
       {cell("glibc", {2, 4, 2}, {100, 100, 100}), cell("mmt", {1, 2, 1}, {400, 400, 400}),
        cell("jemalloc", {1.25, 2.5, 1.25}, {200, 200, 200})}});
  return result;
}

TEST(BenchSummary, RatiosArePairedByRound) {
  const BenchResult result = sample_result();
  const MetricSummary wall = summarise(result, result.programs[0], kWall);
  const CellSummary& mmt = wall.cells[1];
  EXPECT_EQ(mmt.value->median, 1);
  EXPECT_EQ(mmt.to_glibc->value.median, 0.5);
  EXPECT_EQ(mmt.to_glibc->value.high, 0.5);
  EXPECT_EQ(mmt.to_best_peer->against, "jemalloc");
  EXPECT_EQ(mmt.to_best_peer->value.median, 0.8);
}

TEST(BenchSummary, MmtIsNoPeerOfOthers) {
  const BenchResult result = sample_result();
  const MetricSummary wall = summarise(result, result.programs[0], kWall);
  EXPECT_EQ(wall.cells[0].to_best_peer->against, "jemalloc");
  EXPECT_EQ(wall.cells[2].to_best_peer->against, "glibc");
}

TEST(BenchSummary, RatesAreTurnedSoThatBelowOneIsBetter) {
  const BenchResult result = sample_result();
  const MetricSummary rate = summarise(result, result.programs[0], "requests");
  EXPECT_EQ(rate.cells[1].to_best_peer->against, "jemalloc");
  EXPECT_EQ(rate.cells[1].to_best_peer->value.median, 0.5);
  EXPECT_EQ(rate.cells[1].to_glibc->value.median, 0.25);
}

TEST(BenchSummary, FailedCellsCountForNothing) {
  BenchResult result = sample_result();
  result.programs[0].cells[2].problem = "exit status 1";
  const MetricSummary wall = summarise(result, result.programs[0], kWall);
  EXPECT_FALSE(wall.cells[2].value);
  EXPECT_EQ(wall.cells[1].to_best_peer->against, "glibc");
  EXPECT_TRUE(result.has_problem());
}

TEST(BenchSummary, OnlyRoundsThatBothSidesRanArePaired) {
  BenchResult result = sample_result();
  auto& samples = result.programs[0].cells[1].metrics[0].samples;
  samples.erase(samples.begin());
  const MetricSummary wall = summarise(result, result.programs[0], kWall);
  EXPECT_EQ(wall.cells[1].to_glibc->value.median, 0.5);
}

TEST(BenchSummary, OverallNamesTheWorstProgram) {
  BenchResult result = sample_result();
  result.programs.push_back(result.programs[0]);
  result.programs[1].name = "slow";
  for (Sample& sample : result.programs[1].cells[1].metrics[0].samples) sample.value *= 4;
  const std::vector<Overall> all = overall(result, kWall);
  EXPECT_EQ(all[1].programs, 2);
  EXPECT_DOUBLE_EQ(*all[1].to_glibc, 1.0);
  EXPECT_DOUBLE_EQ(all[1].worst_to_best_peer, 3.2);
  EXPECT_EQ(all[1].worst_program, "slow");
}

TEST(BenchReporters, JsonHoldsSamplesRatiosAndProblems) {
  BenchResult result = sample_result();
  result.programs[0].cells[2].problem = "killed by signal 11";
  const auto json = nlohmann::json::parse(bench_json(result));
  EXPECT_EQ(json["schema"], 1);
  const auto& cells = json["programs"][0]["cells"];
  EXPECT_EQ(cells[1]["metrics"]["wall"]["median"], 1);
  EXPECT_EQ(cells[1]["metrics"]["wall"]["samples"][1]["value"], 2);
  EXPECT_EQ(cells[1]["metrics"]["wall"]["to_glibc"]["median"], 0.5);
  EXPECT_TRUE(cells[1]["problem"].is_null());
  EXPECT_EQ(cells[2]["problem"], "killed by signal 11");
  EXPECT_TRUE(cells[2]["metrics"].empty());
}

TEST(BenchReporters, CsvIsOneSampleALine) {
  BenchResult result = sample_result();
  result.programs[0].name = "a,\"b\"";
  const std::string csv = bench_csv(result);
  EXPECT_NE(csv.find("growth,\"a,\"\"b\"\"\",mmt,wall,s,1,2\n"), std::string::npos) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 3 * 2 * 3);
}

TEST(BenchReporters, ConsoleNamesFailuresAndWhatIsMissing) {
  BenchResult result = sample_result();
  result.programs[0].cells[2].problem = "exit status 1";
  result.missing_allocators.push_back({"mimalloc", "apt-get install libmimalloc2.0"});
  const std::string text = bench_console(result);
  EXPECT_NE(text.find("FAILED: growth/tree with jemalloc: exit status 1"), std::string::npos);
  EXPECT_NE(text.find("mimalloc (apt-get install libmimalloc2.0)"), std::string::npos);
  EXPECT_NE(text.find("requests"), std::string::npos);
}

}  // namespace
}  // namespace mmt::report
