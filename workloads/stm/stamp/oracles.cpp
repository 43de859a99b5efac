#include "stm/stamp/oracles.h"

#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "stm/common/regions.h"
#include "stm/stamp/applications.h"

namespace mmt::workloads::stm {

namespace {

// What a count is divided by, of inputs that are like those of the paper but not the same.
enum class Per : uint8_t { kRun, kTransactionalMalloc };

// Either a number that the application gives by `key`, or what a region counts.
struct Oracle {
  const char* application;
  const char* key;
  uint64_t expected;
  Region region = Region::kTx;
  int bin = -1;        // of kBounds; -1: not a bin
  double percent = 0;  // that the value may be off
  Per per = Per::kRun;
};

constexpr int kMallocs = -2;
constexpr int kFrees = -3;
constexpr int kBytes = -4;

// How far a generated input may lead from the paper's counts.
constexpr double kNear = 20;

constexpr Oracle kOracles[] = {
    {"bayes", "seq mallocs", 85'878'610, Region::kSeq, kMallocs, kNear},
    {"bayes", "seq 16-byte blocks", 18'424'629, Region::kSeq, 0, kNear},
    {"bayes", "seq 32-byte blocks", 63'211'522, Region::kSeq, 1, kNear},
    {"bayes", "seq 64-byte blocks", 3'193'555, Region::kSeq, 3, kNear},
    {"bayes", "seq bytes", 2'442'988'501, Region::kSeq, kBytes, kNear},
    {"bayes", "par mallocs / tx", 97'757'530 / 1'307, Region::kPar, kMallocs, kNear,
     Per::kTransactionalMalloc},
    {"genome", "tx 16-byte blocks", 1'077'186, Region::kTx, 0},
    {"genome", "seq 32-byte blocks", 64 * 16'384 + 16'385 + 5, Region::kSeq, 1},
    {"genome", "tx bytes", 17'234'976, Region::kTx, kBytes},
    {"genome", "tx frees", 0, Region::kTx, kFrees},
    {"intruder", "attacks", 29'395},
    {"intruder", "packets", 7'809'375},
    {"intruder", "tx mallocs", 8'807'026, Region::kTx, kMallocs},
    {"intruder", "tx 16-byte blocks", 8'108'082, Region::kTx, 0},
    {"intruder", "tx 32-byte blocks", 274'440, Region::kTx, 1},
    {"intruder", "tx 48-byte blocks", 274'874, Region::kTx, 2},
    {"intruder", "tx 64-byte blocks", 29'458, Region::kTx, 3},
    {"intruder", "tx 96-byte blocks", 59'313, Region::kTx, 4},
    {"intruder", "tx 128-byte blocks", 58'987, Region::kTx, 5},
    {"intruder", "tx 256-byte blocks", 1'872, Region::kTx, 6},
    {"intruder", "tx bytes", 164'097'927, Region::kTx, kBytes},
    {"intruder", "tx frees", 8'544'882, Region::kTx, kFrees},
    {"kmeans", "seq mallocs", 50, Region::kSeq, kMallocs},
    {"kmeans", "tx mallocs", 0, Region::kTx, kMallocs},
    {"labyrinth", "routed", 512},
    {"ssca2", "edges", 22'934'058},
    {"ssca2", "within cliques", 22'934'058 - 890'631},
    {"ssca2", "between cliques", 890'631},
    {"ssca2", "tx mallocs", 0, Region::kTx, kMallocs},
    {"vacation", "tx 16-byte blocks", 6'891'615, Region::kTx, 0},
    // With the right comparator 16 reservations are refused, and their blocks freed.
    {"vacation", "tx 32-byte blocks", 6'891'615 + 16, Region::kTx, 1},
    {"vacation", "tx frees", 2'677'802 + 16, Region::kTx, kFrees},
    {"vacation-quirk", "tx 16-byte blocks", 6'891'629, Region::kTx, 0},
    {"vacation-quirk", "tx 32-byte blocks", 6'891'631, Region::kTx, 1},
    {"vacation-quirk", "tx 48-byte blocks", 174'033, Region::kTx, 2},
    {"vacation-quirk", "tx mallocs", 13'957'293, Region::kTx, kMallocs},
    {"vacation-quirk", "tx bytes", 285'332'048, Region::kTx, kBytes},
    {"vacation-quirk", "tx frees", 2'677'804, Region::kTx, kFrees},
    {"yada", "elements", 1'999'998},
    {"yada", "bad", 267'838, Region::kTx, -1, kNear},
    {"yada", "processed", 420'110, Region::kTx, -1, kNear},
    {"yada", "final", 2'840'482, Region::kTx, -1, kNear},
    {"yada", "par mallocs", 26'936'193, Region::kPar, kMallocs, kNear},
    {"yada", "tx mallocs", 16'435'116, Region::kTx, kMallocs, kNear},
    {"yada", "tx 16-byte blocks", 10'932'524, Region::kTx, 0, kNear},
    {"yada", "tx 32-byte blocks", 2'744'030, Region::kTx, 1, kNear},
    {"yada", "tx 48-byte blocks", 14'532, Region::kTx, 2, kNear},
    {"yada", "tx 256-byte blocks", 2'744'030, Region::kTx, 6, kNear},
    {"yada", "tx bytes", 965'898'560, Region::kTx, kBytes, kNear},
    {"yada", "tx frees", 4'220'068, Region::kTx, kFrees, kNear},
};

uint64_t count_of(const Oracle& oracle, const Result& result) {
  if (oracle.bin != -1) {
    const RegionCounts sum = sum_of(oracle.region);
    if (oracle.bin == kMallocs) return sum.mallocs;
    if (oracle.bin == kFrees) return sum.frees;
    if (oracle.bin == kBytes) return sum.bytes;
    return sum.bins[oracle.bin];
  }
  for (const auto& [key, value] : result.numbers) {
    if (key == oracle.key) return value;
  }
  return 0;
}

uint64_t value_of(const Oracle& oracle, const Result& result) {
  const uint64_t count = count_of(oracle, result);
  if (oracle.per == Per::kRun) return count;
  const uint64_t mallocs = sum_of(Region::kTx).mallocs;
  return mallocs == 0 ? 0 : count / mallocs;
}

bool holds(const Oracle& oracle, uint64_t value) {
  const double expected = static_cast<double>(oracle.expected);
  return std::abs(static_cast<double>(value) - expected) <= expected * oracle.percent / 100;
}

}  // namespace

int print_oracles(std::string_view name) {
  bool any = false;
  bool right = true;
  for (const Application& application : applications()) {
    if (name != "all" && name != application.name) continue;
    any = true;
    forget_counts();
    PlainWorld world;
    const Result result = application.sequential(world, Size::kNative);
    right = right && result.right;
    std::printf("%-14s %-22s %12s %12s %s\n", application.name, "its own check", "", "",
                result.right ? "holds" : "FAILS");
    for (const Oracle& oracle : kOracles) {
      if (std::string_view(application.name) != oracle.application) continue;
      const uint64_t value = value_of(oracle, result);
      const bool held = holds(oracle, value);
      right = right && held;
      const char* const verdict = !held                 ? "DIFFERS"
                                  : oracle.percent == 0 ? "holds"
                                                        : "holds: near enough";
      std::printf("%-14s %-22s %12" PRIu64 " %12" PRIu64 " %s\n", application.name, oracle.key,
                  value, oracle.expected, verdict);
    }
    std::fflush(stdout);
  }
  if (!any) std::fprintf(stderr, "stamp: --application: none of that name\n");
  return !any ? 2 : right ? 0 : 1;
}

}  // namespace mmt::workloads::stm
