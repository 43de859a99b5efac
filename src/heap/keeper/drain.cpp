#include "heap/keeper/drain.h"

#include <algorithm>

#include <mmt/core/compiler.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/cpus.h>

#include "heap/keeper/pace.h"
#include "heap/object/heap.h"

namespace mmt::heap {
namespace {

// Between two looks at the channels. Each look takes the clients' lines away from them.
constexpr uint64_t kLookIntervalNs = 3000;
// Between two pieces of surplus, at most.
constexpr uint64_t kMostPatienceNs = 200'000;

}  // namespace

// No longer than a nap: all else has its turn. It waits for more no longer than it worked, and not
// while that takes a CPU from the program.
bool Drain::run(uint64_t start) {
  Heap& heap = round_.heap;
  const uint64_t end = start + Pace::kNapNs;
  if (crowding_.is_look_due(start) && round_.may_open_files)
    crowding_.looked(start, sys::runnable_threads(), round_.online_cpus);
  const uint64_t cpu_before = sys::thread_cpu_ns();
  uint64_t now = start;
  uint64_t patience = 0;
  bool worked = false;
  while (now < end && !round_.must_leave()) {
    const uint64_t before = now;
    bool found = round_.clients.serve_all();
    found |= round_.clients.collect_returned();
    worked |= found;
    if (found) {
      now = sys::monotonic_ns();
      patience = std::min(patience + now - before, kMostPatienceNs);
      continue;
    }
    // Relaxed: a manner, not an order.
    if (heap.holders.load(std::memory_order_relaxed) >= heap.cpus) break;
    if (patience < kLookIntervalNs || sys::is_clock_coarse() || crowding_.stands_back(now)) break;
    do {
      core::cpu_relax();
      now = sys::monotonic_ns();
    } while (now < before + kLookIntervalNs);
    patience -= std::min(patience, now - before);  // a look at many clients takes its time
  }
  is_amid_ = now >= end;
  if (worked) crowding_.worked(now, now - start, sys::thread_cpu_ns() - cpu_before);
  heap.watermarks.refuse_surplus(crowding_.stands_back(now));
  return worked;
}

int64_t Drain::wait(uint64_t) const { return is_amid_ ? 0 : round_.clients.wait(); }

}  // namespace mmt::heap
