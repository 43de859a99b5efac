// The OS contract for time. Fake double: a clock that a test moves (manual_clock.h), and that says
// the same of every thread. A program that lists this file among its sources has it in place of
// linux/clock.cpp.
#include <atomic>

#include <mmt/sys/clock.h>

#include "sys/fake/manual_clock.h"

namespace mmt::sys {
namespace {

// Relaxed: nothing is read through them.
constinit std::atomic<uint64_t> time{1};
constinit std::atomic<uint64_t> time_a_look{0};

}  // namespace

void fake::set_time_a_look(uint64_t ns) { time_a_look.store(ns, std::memory_order_relaxed); }

uint64_t monotonic_ns() {
  return time.fetch_add(time_a_look.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

uint64_t coarse_ns() { return monotonic_ns(); }
bool is_counter_forbidden() { return false; }
void keep_to_coarse_clock() {}
bool is_clock_coarse() { return false; }

uint64_t thread_cpu_ns() { return monotonic_ns(); }
uint64_t thread_cpu_ns(uint32_t) { return monotonic_ns(); }
uint64_t thread_preemptions() { return 0; }

}  // namespace mmt::sys
