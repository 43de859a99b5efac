#pragma once
// Where many threads wait for the depot lock. A lock that wakes a sleeper at each unlocking makes
// hundreds of threads take turns at every block, all of them amid their work, and each turn costs
// a change of threads. Here at most one has been woken and not run yet; who runs takes the lock
// past the sleepers, gets on with its work, and holds what it needs for a shorter time.
#include <atomic>
#include <cstdint>

namespace mmt::offload {

class DepotQueue {
 public:
  // Waits for the lock, as long as others get it. False: nobody has for some time, or the caller
  // holds it already.
  bool lock(uint32_t self);

  // After each unlocking.
  void unlocked() {
    // An exchange as in sleep(): the later of the two sees what was done before the earlier.
    if (sleepers_.fetch_add(0, std::memory_order_seq_cst) != 0) wake();
  }

  // A fork's child: nobody waits.
  void reset_in_child();

 private:
  void wake();
  bool sleep(uint32_t self);

  std::atomic<uint32_t> sleepers_;
  std::atomic<uint32_t> turns_;  // each time that one is woken: the word they sleep on
  std::atomic<bool> woken_;      // one has been, and has not run yet
};

}  // namespace mmt::offload
