// What the laboratory reads of a program: counts to the last digit.
#include "stm/common/bench_report.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace mmt::workloads::stm {
namespace {

TEST(BenchReport, CountsAreWhole) {
  const std::string path = ::testing::TempDir() + "bench_report_test." + std::to_string(getpid());
  setenv("MMT_BENCH_REPORT", path.c_str(), 1);
  {
    BenchReport report("test");
    report.add("bytes", 1'268'530'544, "bytes");
    report.add("most", 9'007'199'254'740'991.0, "count");
    report.add("none", 0, "count");
    report.add("share", 0.125, "share");
  }
  unsetenv("MMT_BENCH_REPORT");
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  EXPECT_EQ(
      text,
      "bytes 1268530544 bytes\nmost 9007199254740991 count\nnone 0 count\nshare 0.125 share\n");
}

}  // namespace
}  // namespace mmt::workloads::stm
