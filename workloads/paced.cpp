// paced: requests at a chosen pace. It keeps a ring of blocks. Each step frees the oldest block and
// allocates a new one. It computes for as long as it is told before either call. One can ask with
// it what a design is worth by the share of its time that a program spends in its allocator. Blocks
// are written when allocated and checked when freed.
// Metric: request, wall nanoseconds from one call to the next, computation included.
#include <cstdint>
#include <cstdlib>

#include <mmt/core/compiler.h>

#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"
#include "common/table.h"
#include "interprocess/ticks.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "paced";

// Computation that needs no memory: the time stamp counter read until so many ticks have passed.
class Work {
 public:
  explicit Work(uint64_t nanoseconds)
      : ticks_(static_cast<uint64_t>(static_cast<double>(nanoseconds) *
                                     mmt::latency::ticks_per_ns())) {}
  void operator()() const {
    if (ticks_ == 0) return;
    const uint64_t start = mmt::core::ticks_before();
    while (mmt::core::ticks_before() - start < ticks_) {
    }
  }

 private:
  uint64_t ticks_;
};

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  const uint64_t steps = flags.number("steps", 200'000);
  const uint64_t work_ns = flags.number("work-ns", 200);
  const uint64_t live = flags.number("live", 10'000);
  const uint64_t bytes = flags.number("bytes", 32);
  flags.finish();
  require(steps > 0 && live > 0, kProgram, "at least one step and one block");
  require(bytes >= sizeof(uint64_t), kProgram, "blocks of at least 8 bytes");

  Table<uint64_t*> ring(live);
  const Work work(work_ns);
  // The first round fills the ring, and brings the heap to its size.
  const auto step = [&](uint64_t i) {
    uint64_t** slot = &ring[i % live];
    if (i >= live) {
      work();
      require(**slot == i - live, kProgram, "a block was changed by somebody else");
      std::free(*slot);
    }
    work();
    *slot = static_cast<uint64_t*>(std::malloc(bytes));
    require(*slot != nullptr, kProgram, "memory");
    **slot = i;
  };
  for (uint64_t i = 0; i < live; ++i) step(i);
  Stopwatch watch;
  for (uint64_t i = live; i < live + steps; ++i) step(i);
  const double passed = watch.lap();
  for (uint64_t i = 0; i < live; ++i) std::free(ring[i]);

  Report report(kProgram);
  report.add("request", 1e9 * passed / static_cast<double>(2 * steps), "ns");
  return report.finish();
}
