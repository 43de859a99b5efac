// peers: our transactional memory beside GCC's libitm, and beside the same code without
// transactions, on one set. Every contender runs once a round, in random order. It runs in a
// process of its own, because libitm reads its method when it starts. Ratios are those of one
// round. Their medians are told with the lowest and the highest. The status is 1 when a set is
// broken.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "common/flags.h"
#include "common/report.h"
#include "common/rng.h"
#include "stm/peers/measure.h"

namespace {

using namespace mmt::workloads::stm;
using mmt::workloads::Flags;
using mmt::workloads::Report;
using mmt::workloads::Rng;

struct Contender {
  const char* name;
  const char* method;  // of libitm; null: whatever it chooses, or no libitm
  double (*measure)(const Round& round);
};
constexpr Contender kContenders[] = {{"ours", nullptr, measure_ours},
                                     {"plain", nullptr, measure_plain},
                                     {"libitm", nullptr, measure_libitm},
                                     {"libitm_ml_wt", "ml_wt", measure_libitm}};
constexpr size_t kContenderCount = std::size(kContenders);

[[noreturn]] void fail(const char* what, int status) {
  std::fprintf(stderr, "peers: %s\n", what);
  std::exit(status);
}

bool takes_part(const Contender& one, const Round& round) {
  if (one.measure == measure_plain) return round.threads == 1;
  return one.measure != measure_libitm || has_libitm();
}

// In a process of its own.
double run_alone(const Contender& one, const Round& round) {
  if (one.method == nullptr) {
    unsetenv("ITM_DEFAULT_METHOD");
  } else {
    setenv("ITM_DEFAULT_METHOD", one.method, 1);
  }
  char command[512];
  std::snprintf(command, sizeof(command),
                "exec /proc/%d/exe --alone %s --structure %.*s --elements %llu --updates %llu "
                "--operations %llu --threads %u",
                static_cast<int>(getpid()), one.name, static_cast<int>(round.structure.size()),
                round.structure.data(), static_cast<unsigned long long>(round.elements),
                static_cast<unsigned long long>(round.updates),
                static_cast<unsigned long long>(round.operations), round.threads);
  std::FILE* const from = popen(command, "re");
  if (from == nullptr) fail("a process cannot be started", 1);
  double seconds = -1;
  const bool said = std::fscanf(from, "%lf", &seconds) == 1;
  if (pclose(from) != 0 || !said || seconds < 0) fail("a contender failed", 1);
  return seconds;
}

struct Spread {
  double lowest, median, highest;
};
Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values.front(), values[values.size() / 2], values.back()};
}

int run_alone_here(std::string_view name, const Round& round) {
  for (const Contender& one : kContenders) {
    if (name != one.name) continue;
    if (!takes_part(one, round)) fail("--alone: it does not take part here", 2);
    const double seconds = one.measure(round);
    if (seconds < 0) fail("the set is broken", 1);
    std::printf("%.9g\n", seconds);
    return 0;
  }
  fail("--alone is one of ours, plain, libitm, libitm_ml_wt", 2);
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags("peers", argc, argv);
  Round round{};
  round.structure = flags.text("structure", "list", {"list", "hash", "tree"});
  round.elements = flags.number("elements", 4096);
  round.updates = flags.number("updates", 60);
  round.operations = flags.number("operations", round.structure == "list" ? 5'000 : 500'000);
  const uint64_t threads = flags.number("threads", 1);
  const uint64_t rounds = flags.number("rounds", 7);
  const uint64_t seed = flags.number("seed", 1);
  const std::string_view alone = flags.text("alone", "", {});
  flags.finish();
  if (threads < 1 || threads > 256) fail("--threads is 1 to 256", 2);
  if (round.elements < 1) fail("--elements is at least 1", 2);
  if (round.updates > 100) fail("--updates is a percentage", 2);
  if (round.operations < 1 || rounds < 1) fail("--operations and --rounds are at least 1", 2);
  round.threads = static_cast<unsigned>(threads);
  if (!alone.empty()) return run_alone_here(alone, round);

  Rng random(seed);
  std::vector<double> seconds[kContenderCount];
  for (uint64_t i = 0; i < rounds; ++i) {
    size_t order[kContenderCount];
    for (size_t c = 0; c < kContenderCount; ++c) order[c] = c;
    for (size_t c = kContenderCount; c > 1; --c) std::swap(order[c - 1], order[random.below(c)]);
    for (const size_t c : order) {
      if (takes_part(kContenders[c], round)) {
        seconds[c].push_back(run_alone(kContenders[c], round));
      }
    }
  }
  Report report("peers");
  for (size_t c = 0; c < kContenderCount; ++c) {
    if (seconds[c].empty()) {
      std::printf("%-13s does not take part\n", kContenders[c].name);
      continue;
    }
    std::vector<double> ratios;
    for (size_t i = 0; i < rounds; ++i) ratios.push_back(seconds[c][i] / seconds[0][i]);
    const Spread ratio = spread_of(ratios);
    const double median = spread_of(seconds[c]).median * 1e9;
    std::printf("%-13s %10.1f ns/op  its time is %.3f of ours (%.3f to %.3f)\n",
                kContenders[c].name, median, ratio.median, ratio.lowest, ratio.highest);
    const std::string name = kContenders[c].name;
    report.add(name, median, "ns");
    if (c != 0) report.add(name + "_to_ours", ratio.median, "ratio");
  }
  return report.finish();
}
