// What a benchmark run found, before anyone decides how to show it: the one model that the console,
// JSON and CSV reporters share.
//
// Invariants: a cell is one (program, allocator) pair; every program holds its cells in the order
// of BenchResult::allocators; a cell with a problem has no figures that count. Samples carry the
// round they were taken in, so that ratios pair what ran side by side.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mmt::report {

// Names of the metrics that `mmt bench` measures itself.
inline constexpr const char* kWall = "wall";
inline constexpr const char* kCpu = "cpu";
inline constexpr const char* kPeakRss = "peak_rss";
inline constexpr const char* kMinorFaults = "minor_faults";
inline constexpr const char* kMajorFaults = "major_faults";

struct Sample {
  int round = 0;
  double value = 0;
};

struct Metric {
  std::string name;
  std::string unit;
  std::vector<Sample> samples;
};

struct Cell {
  std::string allocator;
  std::string problem;  // empty: every run went well
  std::vector<Metric> metrics;

  const Metric* find(const std::string& name) const {
    for (const Metric& metric : metrics) {
      if (metric.name == name) return &metric;
    }
    return nullptr;
  }
};

struct BenchProgram {
  std::string suite;
  std::string name;
  std::vector<std::string> command;
  std::string pin;                 // CPU list, empty: not pinned
  std::vector<std::string> shown;  // metrics of the console table, empty: all reported ones
  std::vector<Cell> cells;
};

struct BenchAllocator {
  std::string name;
  std::string path;         // the preloaded library, empty for the C library's own
  std::string options;      // MMT_OPTIONS, for MMT only
  std::string malloc_from;  // the file that served malloc in the probe
  bool is_mmt = false;
};

// Something asked for that is not on this machine, and what would bring it.
struct Missing {
  std::string name;
  std::string remedy;
};

struct Interruption {
  int status = 0;  // exit status to report; 0: there was none
  std::string reason;
};

struct BenchResult {
  std::vector<std::string> command;                          // how to run it again
  std::vector<std::pair<std::string, std::string>> machine;  // key, value
  std::uint64_t seed = 0;
  int rounds_done = 0;
  Interruption interruption;  // what ended the measurement before its time
  double rss_floor = 0;       // bytes: no peak_rss below this can be seen
  std::vector<BenchAllocator> allocators;
  std::vector<BenchProgram> programs;
  std::vector<Missing> missing_allocators;
  std::vector<Missing> missing_programs;

  bool has_problem() const {
    for (const BenchProgram& program : programs) {
      for (const Cell& cell : program.cells) {
        if (!cell.problem.empty()) return true;
      }
    }
    return false;
  }
};

}  // namespace mmt::report
