#include "stm/stamp/oracles.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include "stm/common/regions.h"
#include "stm/stamp/applications.h"

namespace mmt::workloads::stm {

namespace {

// Either a number that the application gives by `key`, or what a region counts.
struct Oracle {
  const char* application;
  const char* key;
  uint64_t expected;
  Region region = Region::kTx;
  int bin = -1;  // of kBounds; -1: not a bin
};

constexpr int kMallocs = -2;
constexpr int kFrees = -3;
constexpr int kBytes = -4;

constexpr Oracle kOracles[] = {
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
};

uint64_t value_of(const Oracle& oracle, const Result& result) {
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
      right = right && value == oracle.expected;
      std::printf("%-14s %-22s %12" PRIu64 " %12" PRIu64 " %s\n", application.name, oracle.key,
                  value, oracle.expected, value == oracle.expected ? "holds" : "DIFFERS");
    }
    std::fflush(stdout);
  }
  if (!any) std::fprintf(stderr, "stamp: --application: none of that name\n");
  return !any ? 2 : right ? 0 : 1;
}

}  // namespace mmt::workloads::stm
