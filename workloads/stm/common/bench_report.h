// `key value unit` lines, appended to the file that MMT_BENCH_REPORT names, for the laboratory;
// none without it. For numbers of programs that print JSON themselves.
#pragma once

#include <cstdio>
#include <string_view>

#include <mmt/stm/statistics.h>

namespace mmt::workloads::stm {

class BenchReport {
 public:
  // A file that cannot be opened ends the program with status 1.
  explicit BenchReport(const char* program);
  BenchReport(const BenchReport&) = delete;
  BenchReport& operator=(const BenchReport&) = delete;
  ~BenchReport();

  void add(std::string_view key, double value, const char* unit);
  // This adds commits, aborts by reason and by cause, and what is worked out of them. Aborts and
  // each cause are also parts of all attempts that committed or aborted.
  void add(const mmt::stm::Statistics& of);
  // Allocations by region: seq.16, tx.frees and so on.
  void add_regions();

 private:
  std::FILE* file_;
};

}  // namespace mmt::workloads::stm
