#include "guard/budget.h"

#include <algorithm>
#include <atomic>

#include <mmt/sys/clock.h>

#include "guard/turns.h"

namespace mmt::guard {
namespace {

// One part in so many of a thread's CPU time.
constexpr uint64_t kShare = 500;
// A place is shut as dear as it is opened.
constexpr uint64_t kOpenAndShut = 2;
// What the first one costs, as far as is known. Threads that end before they have so much to spend
// have one by chance, so that all of them together keep to the share.
constexpr uint64_t kFirstNs = 20000;

// Relaxed: it is set once, as the library is loaded.
constinit std::atomic<bool> is_bound{false};

bool can_afford(uint64_t now_ns) {
  if (turns.spent_ns == 0) return some_bits() % (kShare * kFirstNs) < now_ns;
  return turns.spent_ns * kShare <= now_ns;
}

}  // namespace

void bind_to_budget() { is_bound.store(true, std::memory_order_relaxed); }

Spending::Spending() : begun_ns_(0), is_allowed_(true) {
  if (!is_bound.load(std::memory_order_relaxed)) return;
  begun_ns_ = sys::thread_cpu_ns();
  is_allowed_ = can_afford(begun_ns_);
  if (turns.spent_ns != 0) change_thinning(is_allowed_);
}

Spending::~Spending() {
  if (begun_ns_ == 0 || !is_allowed_) return;
  turns.spent_ns += std::max<uint64_t>(1, (sys::thread_cpu_ns() - begun_ns_) * kOpenAndShut);
}

}  // namespace mmt::guard
