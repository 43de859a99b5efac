// idle: a program that has allocated and then sleeps. What CPU time passes in its sleep is used by
// the allocator's threads. Metric: idle_cpu (percent of one CPU).
#include <cstdint>
#include <cstdlib>

#include "common/clock.h"
#include "common/flags.h"
#include "common/pause.h"
#include "common/report.h"
#include "common/rng.h"
#include "common/table.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "idle";

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  uint64_t busy_ms = flags.number("busy-ms", 1000);
  uint64_t sleep_ms = flags.number("sleep-ms", 20'000);
  uint64_t slots = flags.number("slots", 50'000);
  flags.finish();

  Table<uint64_t*> blocks(slots + 1);
  Rng rng(9);
  double end = wall_seconds() + 1e-3 * static_cast<double>(busy_ms);
  do {
    for (int step = 0; step < 1000; ++step) {
      uint64_t*& block = blocks[rng.below(blocks.size())];
      require(block == nullptr || *block == reinterpret_cast<uintptr_t>(block), kProgram,
              "a block was changed by somebody else");
      std::free(block);
      block = static_cast<uint64_t*>(std::malloc(rng.log_uniform(16, 8192)));
      if (block == nullptr) std::abort();
      *block = reinterpret_cast<uintptr_t>(block);
    }
  } while (wall_seconds() < end);

  double cpu = cpu_seconds();
  double wall = wall_seconds();
  pause_for(sleep_ms);
  cpu = cpu_seconds() - cpu;
  wall = wall_seconds() - wall;

  Report report(kProgram);
  report.add("idle_cpu", 100 * cpu / wall, "percent");
  return report.finish();
}
