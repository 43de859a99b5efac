// How the server sleeps, and how clients wake it without a lost wake-up and without a fence.
// States and legal calls:
//   - awake    server: nap, begin_park.
//   - napping  inside nap: sleeps for a bounded time; only wake() cuts it short.
//   - parked   between begin_park and commit_park or cancel_park; wake_if_parked(), wake() end it.
//
// A server out of work calls begin_park() and looks for work once more. It calls cancel_park() when
// there is some, and commit_park() when there is none. A client publishes work, and then calls
// wake_if_parked().
//
// The cost of the order between the two lies with the server, which is idle. Its begin_park() makes
// every thread of the process pass through a full fence. A client orders nothing but its compiler.
// The state carries no data, so all its orders are relaxed. All zero is valid: awake.
#pragma once

#include <cstdint>

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kParkerBegin{
    "parker.begin_park", std::memory_order_seq_cst,
    "the compiler fences of wake_if_parked() and wake(): either the server's last look finds the "
    "work, or the client finds it parked (Dekker: state then work, work then state)"};

template <class Sync = RealSync>
class Parker {
 public:
  enum State : uint32_t { kAwake = 0, kNapping = 1, kParked = 2 };

  // --- Server ---

  // Sleeps for `ns`, less when a client calls wake(). Work that arrives meanwhile waits that long.
  // `sleep`: another way to sleep than Sync::futex_wait, called as that, which may end it as well.
  template <class Sleep>
  void nap(int64_t ns, Sleep&& sleep) {
    state_.store(kNapping, kRelaxed);
    sleep(state_, kNapping, ns);
    state_.store(kAwake, kRelaxed);
  }
  void nap(int64_t ns) { nap(ns, Sync::futex_wait); }

  // False: this system has no such fence for other threads, so a wake-up can be missed, and the
  // sleep that follows must have a limit.
  bool begin_park() {
    state_.store(kParked, kRelaxed);
    return Sync::fence_all_threads(kParkerBegin);
  }
  void cancel_park() { state_.store(kAwake, kRelaxed); }

  // Sleeps until a client wakes the server, or `timeout_ns` have passed (housekeeping). May return
  // early for no reason. `sleep` as above. True: a client woke it.
  template <class Sleep>
  bool commit_park(int64_t timeout_ns, Sleep&& sleep) {
    sleep(state_, kParked, timeout_ns);
    const bool woken = state_.load(kRelaxed) != kParked;
    state_.store(kAwake, kRelaxed);
    return woken;
  }
  void commit_park(int64_t timeout_ns = kForever) { commit_park(timeout_ns, Sync::futex_wait); }

  // --- Clients ---

  // Wakes a parked server; true when it was this call that did. Keeps errno.
  bool wake_if_parked() {
    Sync::compiler_fence();
    if (MMT_LIKELY(state_.load(kRelaxed) != kParked)) return false;
    return wake_from(kParked);
  }

  // The same, and cuts a nap short: for a client that is about to run dry.
  bool wake() {
    Sync::compiler_fence();
    const uint32_t state = state_.load(kRelaxed);
    return state != kAwake && wake_from(state);
  }

  // --- Any thread ---

  State state() const { return static_cast<State>(state_.load(kRelaxed)); }

  // A fork's child, before its server is started: nobody sleeps here.
  void reset_in_child() { state_.store(kAwake, kRelaxed); }

 private:
  // One caller wins and pays for the system call. Losing means that the state changed, by another
  // client that wakes the server or by the server, which looks for work before it sleeps again.
  MMT_COLD bool wake_from(uint32_t asleep) {
    if (!state_.compare_exchange_strong(asleep, kAwake, kRelaxed, kRelaxed)) return false;
    Sync::futex_wake(state_);
    return true;
  }

  typename Sync::template Atomic<uint32_t> state_{};
};

}  // namespace mmt::sync
