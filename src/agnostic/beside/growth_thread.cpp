#include "agnostic/beside/growth_thread.h"

#include <mmt/sync/ladder.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/cpus.h>

namespace mmt::agnostic {
namespace {

// Far beyond what a step takes. Who waits in vain goes on: the thread leaves as soon as it can.
constexpr uint64_t kLeaveLimitNs = 1000 * sys::kNanosAMilli;
// For the kernel's share in the end of a thread that has left.
constexpr uint64_t kLastStepsNs = 10 * sys::kNanosAMilli;

}  // namespace

void GrowthThread::want(Growth::Ask ask) {
  ask_.store(ask, std::memory_order_relaxed);
  start_if_due();
}

void GrowthThread::start_if_due() {
  if (ask_.load(std::memory_order_relaxed) == nullptr || no_more_.load(std::memory_order_relaxed)) {
    return;
  }
  if (!at_home() || is_starting_.exchange(true, std::memory_order_acquire)) return;
  // One CPU is the program's.
  if (thread_.id() == 0 && sys::affinity_cpus() > 1) thread_.start(main, this);
  is_starting_.store(false, std::memory_order_release);
}

bool GrowthThread::stop() {
  const uint32_t id = thread_.id();
  if (id == 0 || !at_home()) return false;
  const uint64_t limit = sys::monotonic_ns() + kLeaveLimitNs;
  do {
    leaving_.store(id, std::memory_order_relaxed);
    parker_.wake();
  } while (!thread_.wait_end(id, kLastStepsNs) && sys::monotonic_ns() < limit);
  return true;
}

void GrowthThread::start_none(bool forks_too) {
  no_more_.store(true, std::memory_order_relaxed);
  if (forks_too) no_more_in_children_.store(true, std::memory_order_relaxed);
}

bool GrowthThread::at_home() const {
  const uint32_t home = home_.load(std::memory_order_relaxed);
  return home == 0 || home == sys::current_process_id();
}

void GrowthThread::adopt_process() {
  home_.store(sys::current_process_id(), std::memory_order_relaxed);
}

void GrowthThread::reset_in_child() {
  thread_.reset_in_child();
  parker_.reset_in_child();
  growth_.forget();
  ask_.store(nullptr, std::memory_order_relaxed);
  is_starting_.store(false, std::memory_order_relaxed);
  leaving_.store(0, std::memory_order_relaxed);
  // Where none is ever started it does not matter whose it is, and to ask might kill.
  const bool stays_away = no_more_in_children_.load(std::memory_order_relaxed);
  no_more_.store(stays_away, std::memory_order_relaxed);
  if (!stays_away) adopt_process();
}

bool GrowthThread::must_leave() const {
  return leaving_.load(std::memory_order_relaxed) == thread_.id();
}

void GrowthThread::main(void* self) {
  sys::set_thread_name("mmt-growth");
  auto& mine = *static_cast<GrowthThread*>(self);
  const Growth::Ask ask = mine.ask_.load(std::memory_order_relaxed);
  sync::Ladder ladder;
  ladder.set_limits({200'000, 50'000, 100'000'000, UINT64_MAX});
  ladder.worked(sys::monotonic_ns());
  while (!mine.must_leave()) {
    const uint64_t nap = mine.growth_.step(ladder, ask);
    if (nap == 0) {
      core::cpu_relax();
    } else {
      mine.parker_.nap(static_cast<int64_t>(nap));
    }
  }
}

}  // namespace mmt::agnostic
