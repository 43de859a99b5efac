#include "stm/stamp/oracles.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>

#include "stm/common/regions.h"
#include "stm/stamp/applications.h"
#include "stm/stamp/table5.h"
#include "stm/stamp/verdict.h"

namespace mmt::workloads::stm {

namespace {

constexpr const char* kRegionNames[kRegions] = {"seq", "par", "tx"};

uint64_t number_of(const Result& result, std::string_view key) {
  for (const auto& [name, value] : result.numbers) {
    if (name == key) return value;
  }
  return 0;
}

unsigned known_differences = 0;
unsigned unlike_rows = 0;  // that no oracle covers whole

// False: an oracle does not hold.
bool print(const char* application, const char* what, uint64_t value, uint64_t expected, Kind kind,
           uint64_t ours = 0, const char* note = "") {
  const Verdict verdict = judge(value, expected, kind, ours);
  if (verdict.known) ++known_differences;
  // What is as recorded stands in the line of its region.
  if (kind == Kind::kRecorded && !verdict.fails) return true;
  std::printf("%-14s %-18s %13" PRIu64 " %13" PRIu64 " %s", application, what, value, expected,
              verdict.words);
  if (verdict.fails && !verdict.known && (kind == Kind::kKnown || kind == Kind::kRecorded)) {
    std::printf(": %" PRIu64, ours);
  }
  std::printf("%s\n", note);
  return !verdict.fails;
}

bool print_row(const Row& row, const RegionCounts& sum, const Result& result) {
  uint64_t values[kColumns];
  for (size_t bin = 0; bin < kBins; ++bin) values[bin] = sum.bins[bin];
  values[kMallocs] = sum.mallocs;
  const uint64_t own_frees = row.own_frees == nullptr ? 0 : number_of(result, row.own_frees);
  values[kFrees] = sum.frees - own_frees;
  values[kBytes] = sum.bytes;
  bool right = true;
  const char* const region = kRegionNames[static_cast<size_t>(row.region)];
  for (size_t column = 0; column < kColumns; ++column) {
    if (row.kind_of(column) == Kind::kCompared) continue;
    char what[32];
    std::snprintf(what, sizeof(what), "%s %s", region, kColumnNames[column]);
    std::string note;
    if (column == kFrees && row.own_frees != nullptr) {
      note = ": without " + std::to_string(own_frees) + ' ' + row.own_frees;
    }
    right &= print(row.application, what, values[column], row.expected[column], row.kind_of(column),
                   row.ours[column], note.c_str());
  }
  const std::string off = differences(row, values);
  if (!off.empty()) {
    ++unlike_rows;
    std::printf("%-14s %-18s here less the paper's:%s; %s\n", row.application, region, off.c_str(),
                row.why);
  }
  return right;
}

}  // namespace

int print_oracles(std::string_view name) {
  bool right = true;
  for (const Application& application : applications()) {
    if (name != "all" && name != application.name) continue;
    forget_counts();
    Result result;
    {
      PlainWorld world;
      result = application.sequential(world, Size::kNative);
    }
    right = right && result.right;
    std::printf("%-14s %-18s %13s %13s %s\n", application.name, "its own check", "", "",
                result.right ? "holds" : "FAILS");
    const auto is_here = [&](const auto& oracle) {
      return std::string_view(application.name) == oracle.application;
    };
    for (const Number& one : kNumbers) {
      if (!is_here(one)) continue;
      right &= print(one.application, one.key, number_of(result, one.key), one.expected, one.kind,
                     one.ours);
    }
    for (const Row& row : kTable5) {
      if (is_here(row)) right &= print_row(row, sum_of(row.region), result);
    }
    if (std::string_view(application.name) == "bayes") {
      const uint64_t allocated = sum_of(Region::kTx).mallocs;
      const uint64_t ratio = allocated == 0 ? 0 : sum_of(Region::kPar).mallocs / allocated;
      right &= print("bayes", "par mallocs / tx", ratio, kBayesParForTx, Kind::kNear);
    }
    std::fflush(stdout);
  }
  if (known_differences != 0) {
    std::printf("%u known difference%s\n", known_differences, known_differences == 1 ? "" : "s");
  }
  if (unlike_rows != 0) {
    std::printf("%u row%s with counts for which there is no oracle, and that differ\n", unlike_rows,
                unlike_rows == 1 ? "" : "s");
  }
  return right ? 0 : 1;
}

}  // namespace mmt::workloads::stm
