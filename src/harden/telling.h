#pragma once
// Threads that look at the heap tell of what they find. Whoever ends the process waits for them.
#include <atomic>
#include <cstdint>

#include <mmt/sys/thread.h>

namespace mmt::harden {

// A look has found something, and tells of it. Any thread.
class Telling {
 public:
  Telling() { amid.fetch_add(1, std::memory_order_acquire); }
  ~Telling() { amid.fetch_sub(1, std::memory_order_release); }
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;

  // Until all that others have found is told, or for some time.
  static void wait() {
    constexpr uint32_t kTurns = 1000;
    for (uint32_t turn = 0; amid.load(std::memory_order_acquire) != 0 && turn < kTurns; ++turn)
      sys::give_way(turn);
  }

 private:
  static inline constinit std::atomic<uint32_t> amid{0};
};

}  // namespace mmt::harden
