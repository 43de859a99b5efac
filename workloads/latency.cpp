// latency: how long single calls keep the application waiting. A heap of mixed sizes grows to 1
// GiB, is freed in scattered order, and does so again. An allocation is timed together with the
// first write to its first and last byte: that is where page faults come.
// Metrics for malloc and for free: _p50 _p99 _p9999 _max (ns), _total (ms in all calls) and
// _over10us (ms in calls of over 10 us). Time off the CPU is taken out of the call it fell into and
// reported as off_cpu. The metric waited is the part of it in which the thread slept of its own
// accord. The cost of the timer itself is reported as timer (ns a call). It is taken off _total,
// not off the single calls.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <mmt/core/compiler.h>

#include "common/flags.h"
#include "common/off_cpu.h"
#include "common/report.h"
#include "common/rng.h"
#include "common/table.h"
#include "interprocess/histogram.h"
#include "interprocess/ticks.h"

namespace {

using namespace mmt::workloads;
using mmt::core::ticks_after;
using mmt::core::ticks_before;
using mmt::latency::Histogram;
using mmt::latency::ticks_per_ns;

constexpr const char* kProgram = "latency";
constexpr double kLongNs = 10'000;
constexpr uint64_t kRebaseEvery = 4096;
constexpr uint64_t kSeed = 3;

struct Block {
  unsigned char* start;
  uint64_t size;
};

// Blocks from 16 bytes to `largest`; with 4 KiB, 365 bytes on average.
uint64_t pick_size(Rng* rng, uint64_t largest) {
  return rng->below(4) == 0 ? rng->log_uniform(16, largest) : rng->log_uniform(16, 1024);
}

// How many blocks it takes to fill `bytes`.
uint64_t blocks_in(uint64_t bytes, uint64_t largest) {
  Rng rng(kSeed);
  uint64_t count = 0;
  for (uint64_t sum = 0; sum < bytes; ++count) sum += pick_size(&rng, largest);
  return count;
}

unsigned char mark_of(const Block& block) {
  return static_cast<unsigned char>(block.size * 31 + 5);
}

struct Calls {
  Histogram histogram;
  uint64_t total = 0;
  uint64_t over = 0;
};

class Timer {
 public:
  Timer() : per_ns_(ticks_per_ns()), long_(static_cast<uint64_t>(kLongNs * per_ns_)) {
    // The least mean of several stretches: an interrupt in one of them is not the timer's cost.
    constexpr int kPairs = 10'000;
    for (int stretch = 0; stretch < 10; ++stretch) {
      uint64_t sum = 0;
      for (int i = 0; i < kPairs; ++i) {
        uint64_t before = ticks_before();
        sum += ticks_after() - before;
      }
      double mean = static_cast<double>(sum) / kPairs;
      if (stretch == 0 || mean < overhead_) overhead_ = mean;
    }
    restart();
  }

  // To be called when the thread did something long that is not timed.
  void restart() {
    off_cpu_.rebase();
    until_rebase_ = kRebaseEvery;
    last_ = ticks_after();
  }

  template <typename Call>
  void time(Calls* calls, Call call) {
    uint64_t before = ticks_before();
    call();
    uint64_t after = ticks_after();
    uint64_t gap = before - last_;
    uint64_t passed = after - before;
    last_ = after;
    // One check settles both: a long gap and a long call in a row are too rare to be told apart.
    if (passed > long_ || gap > long_) [[unlikely]] {
      uint64_t off = static_cast<uint64_t>(1e9 * off_cpu_.check() * per_ns_);
      if (passed > long_) passed -= passed < off ? passed : off;
      last_ = ticks_after();
    } else if (--until_rebase_ == 0) [[unlikely]] {
      restart();
    }
    calls->histogram.add(passed);
    calls->total += passed;
    if (passed > long_) calls->over += passed;
  }

  double ns(uint64_t ticks) const { return static_cast<double>(ticks) / per_ns_; }
  double overhead_ns() const { return overhead_ / per_ns_; }
  // Nanoseconds in all calls, less the timer's own.
  double total_ns(const Calls& calls) const {
    return ns(calls.total) - overhead_ns() * static_cast<double>(calls.histogram.count());
  }
  const OffCpu& off_cpu() const { return off_cpu_; }

 private:
  double per_ns_;
  uint64_t long_;
  double overhead_ = 0;  // ticks
  uint64_t last_ = 0;
  uint64_t until_rebase_ = kRebaseEvery;
  OffCpu off_cpu_;
};

void report_calls(Report* report, const Timer& timer, const char* name, const Calls& calls) {
  char key[32];
  auto add = [&](const char* what, double value, const char* unit) {
    std::snprintf(key, sizeof key, "%s_%s", name, what);
    report->add(key, value, unit);
  };
  add("p50", timer.ns(calls.histogram.quantile(0.5)), "ns");
  add("p99", timer.ns(calls.histogram.quantile(0.99)), "ns");
  add("p9999", timer.ns(calls.histogram.quantile(0.9999)), "ns");
  add("max", timer.ns(calls.histogram.max()), "ns");
  add("total", timer.total_ns(calls) * 1e-6, "ms");
  add("over10us", timer.ns(calls.over) * 1e-6, "ms");
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  uint64_t bytes = flags.number("bytes", uint64_t{1} << 30);
  uint64_t rounds = flags.number("rounds", 2);
  uint64_t largest = std::max<uint64_t>(flags.number("largest", 4096), 32);
  flags.finish();

  // The plan of a round: sizes until `bytes` are reached, and the order in which they are freed.
  uint64_t count = blocks_in(bytes, largest);
  Table<Block> blocks(count);
  Table<uint32_t> order(count);
  Rng rng(kSeed);
  for (uint64_t i = 0; i < count; ++i) {
    blocks[i].size = pick_size(&rng, largest);
    order[i] = static_cast<uint32_t>(i);
  }
  for (uint64_t i = count - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);

  static Calls mallocs;
  static Calls frees;
  Timer timer;
  for (uint64_t round = 0; round < rounds; ++round) {
    timer.restart();
    for (uint64_t i = 0; i < count; ++i) {
      Block block{nullptr, blocks[i].size};
      timer.time(&mallocs, [&] {
        block.start = static_cast<unsigned char*>(std::malloc(block.size));
        if (block.start == nullptr) std::abort();
        block.start[0] = block.start[block.size - 1] = mark_of(block);
      });
      blocks[i].start = block.start;
    }
    for (uint64_t i = 0; i < count; ++i) {
      const Block& block = blocks[i];
      require(block.start[0] == mark_of(block) && block.start[block.size - 1] == mark_of(block),
              kProgram, "a block was changed by somebody else");
    }
    timer.restart();
    for (uint64_t i = 0; i < count; ++i) {
      void* start = blocks[order[i]].start;
      timer.time(&frees, [&] { std::free(start); });
    }
  }

  Report report(kProgram);
  report_calls(&report, timer, "malloc", mallocs);
  report_calls(&report, timer, "free", frees);
  report.add("timer", timer.overhead_ns(), "ns");
  report.add("off_cpu", 1e3 * timer.off_cpu().total(), "ms");
  report.add("waited", 1e3 * timer.off_cpu().waited(), "ms");
  return report.finish();
}
