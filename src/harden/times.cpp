#include "harden/times.h"

#include <mmt/sys/clock.h>

namespace mmt::harden {

constinit uint64_t now_seen = 0;

namespace {

uint64_t began_ns = 0;

}  // namespace

void begin_times() { began_ns = sys::coarse_ns(); }

uint64_t ms_now() { return (sys::coarse_ns() - began_ns) / sys::kNanosAMilli; }

void see_time() { __atomic_store_n(&now_seen, uint64_t{tick_at(ms_now())}, __ATOMIC_RELAXED); }

}  // namespace mmt::harden
