// replicas: the same allocation work in several processes at once, as the ranks of an MPI program
// do it. Each process replaces random blocks of a table, and must come to the same sum.
// Metrics: slowest (s; of all processes), alone (s; one process, before the others start).
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"
#include "common/rng.h"
#include "common/table.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "replicas";

struct Outcome {
  double seconds;
  uint64_t sum;
};

Outcome replay(uint64_t operations, uint64_t live) {
  Stopwatch clock;
  Rng rng(3);
  Table<unsigned char*> blocks(live);
  uint64_t sum = 0;
  for (uint64_t done = 0; done < operations; ++done) {
    unsigned char*& block = blocks[rng.below(live)];
    if (block != nullptr) {
      sum += block[0];
      std::free(block);
    }
    block = static_cast<unsigned char*>(std::malloc(rng.log_uniform(16, 512)));
    if (block == nullptr) std::abort();
    block[0] = static_cast<unsigned char>(done);
  }
  for (unsigned char* block : blocks) std::free(block);
  return {clock.lap(), sum};
}

// In a process of its own. What it has measured comes through the pipe.
pid_t start(int out, uint64_t operations, uint64_t live) {
  const pid_t child = ::fork();
  require(child >= 0, kProgram, "cannot start a process");
  if (child == 0) {
    const Outcome outcome = replay(operations, live);
    ::_exit(::write(out, &outcome, sizeof outcome) == sizeof outcome ? 0 : 1);
  }
  return child;
}

// The slowest of so many side by side, all of which must agree.
Outcome run(uint64_t processes, uint64_t operations, uint64_t live) {
  int ends[2];
  require(::pipe(ends) == 0, kProgram, "cannot make a pipe");
  for (uint64_t number = 0; number < processes; ++number) start(ends[1], operations, live);
  Outcome worst{0, 0};
  for (uint64_t number = 0; number < processes; ++number) {
    int status = 0;
    Outcome one{};
    require(::wait(&status) > 0 && status == 0, kProgram, "a process failed");
    require(::read(ends[0], &one, sizeof one) == sizeof one, kProgram, "a process said nothing");
    require(number == 0 || one.sum == worst.sum, kProgram, "processes disagree");
    worst = {std::max(worst.seconds, one.seconds), one.sum};
  }
  ::close(ends[0]);
  ::close(ends[1]);
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  const uint64_t processes = flags.number("processes", 2);
  const uint64_t operations = flags.number("operations", 1'000'000);
  const uint64_t live = flags.number("live", 12'000);
  flags.finish();
  require(processes > 0 && live > 0, kProgram, "0 processes or blocks are none");

  const Outcome alone = run(1, operations, live);
  const Outcome together = run(processes, operations, live);
  require(alone.sum == together.sum, kProgram, "processes disagree");

  Report report(kProgram);
  report.add("slowest", together.seconds, "s");
  report.add("alone", alone.seconds, "s");
  return report.finish();
}
