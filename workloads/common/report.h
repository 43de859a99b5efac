// What a workload measured: one line on stdout for people, and `key value unit` lines appended to
// the file named by MMT_BENCH_REPORT for the benchmark driver.
// Uses a fixed table and raw writes: reporting allocates nothing.
#pragma once

#include <cstddef>
#include <string_view>

namespace mmt::workloads {

class Report {
 public:
  // `program` must outlive the report.
  explicit Report(const char* program) : program_(program) {}

  // Notes one measurement. `key` and `unit` are copied; more than kMaxEntries is a programming
  // error and ends the program.
  void add(std::string_view key, double value, std::string_view unit);

  // Adds the page faults of the whole program so far, then writes everything. Returns main's
  // status: 0, or 1 when the report file cannot be written.
  int finish();

 private:
  static constexpr size_t kMaxEntries = 64;
  struct Entry {
    char key[48];
    char unit[12];
    double value;
  };

  const char* program_;
  size_t count_ = 0;
  Entry entries_[kMaxEntries];
};

// Ends the program with status 1 and a message unless `right`.
void require(bool right, const char* program, const char* what);

}  // namespace mmt::workloads
