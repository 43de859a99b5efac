#include "stm/common/bench_report.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include "stm/common/command_line.h"
#include "stm/common/regions.h"

namespace mmt::workloads::stm {

BenchReport::BenchReport(const char* program) : file_(nullptr) {
  const char* const path = std::getenv("MMT_BENCH_REPORT");
  if (path == nullptr) return;
  file_ = std::fopen(path, "ae");
  if (file_ != nullptr) return;
  std::fprintf(stderr, "%s: cannot write %s\n", program, path);
  std::exit(1);
}

BenchReport::~BenchReport() {
  if (file_ != nullptr) std::fclose(file_);
}

void BenchReport::add(std::string_view key, double value, const char* unit) {
  if (file_ == nullptr) return;
  // Doubles hold all integers to 2^53; those are printed whole, as exact counts are compared.
  const bool whole = std::abs(value) <= 9007199254740992.0 && std::trunc(value) == value;
  std::fprintf(file_, whole ? "%.*s %.0f %s\n" : "%.*s %.9g %s\n", static_cast<int>(key.size()),
               key.data(), value, unit);
}

void BenchReport::add(const mmt::stm::Statistics& of) {
  const auto ended = static_cast<double>(of.commits + of.aborted());
  const auto part = [&](uint64_t n) { return ended == 0 ? 0 : static_cast<double>(n) / ended; };
  add("commits", static_cast<double>(of.commits), "count");
  add("aborts", static_cast<double>(of.aborted()), "count");
  add("abort_share", of.abort_ratio(), "share");
  for (size_t i = 0; i < mmt::stm::kReasons; ++i) {
    add(mmt::stm::name_of(static_cast<mmt::stm::Reason>(i)), static_cast<double>(of.aborts[i]),
        "count");
  }
  for (size_t i = 0; i < mmt::stm::kCauses; ++i) {
    const std::string name = name_of(static_cast<mmt::stm::Cause>(i));
    add(name, static_cast<double>(of.causes[i]), "count");
    add(name + "_share", part(of.causes[i]), "share");
  }
  add("undone", static_cast<double>(of.undone), "count");
  add("reused", static_cast<double>(of.reused), "count");
  add("batches", static_cast<double>(of.batches), "count");
  add("batched", static_cast<double>(of.batched), "count");
}

void BenchReport::add_regions() {
  constexpr const char* kNames[kRegions] = {"seq", "par", "tx"};
  for (size_t r = 0; r < kRegions; ++r) {
    const RegionCounts sum = sum_of(static_cast<Region>(r));
    const std::string region = kNames[r];
    for (size_t bin = 0; bin < kBins; ++bin) {
      const std::string name = bin < kBins - 1 ? std::to_string(kBounds[bin]) : "larger";
      add(region + "." + name, static_cast<double>(sum.bins[bin]), "count");
    }
    add(region + ".mallocs", static_cast<double>(sum.mallocs), "count");
    add(region + ".frees", static_cast<double>(sum.frees), "count");
    add(region + ".bytes", static_cast<double>(sum.bytes), "bytes");
  }
}

}  // namespace mmt::workloads::stm
