#include "harden/times.h"

#include <mmt/sys/clock.h>

namespace mmt::harden {

constinit uint64_t now_seen = 0;

namespace {

uint64_t began_ns = 0;

}  // namespace

void begin_times() { began_ns = sys::coarse_ns(); }

uint64_t ms_now() { return (sys::coarse_ns() - began_ns) / sys::kNanosAMilli; }

uint64_t see_time() {
  const uint64_t now = ms_now();
  __atomic_store_n(&now_seen, uint64_t{tick_at(now)}, __ATOMIC_RELAXED);
  return now;
}

}  // namespace mmt::harden
