// The program's changes of its rights may end a thread again and again. An Absence decides how long
// the thread stays away then. Each change costs an end and a start, where the thread was there. The
// volume that the program has allocated stands for time where no clock may be read. Where threads
// had different rights the absence is for good: whoever started the thread, it might have more than
// another.
//
// Any thread may call these. All accesses are relaxed: a thread that sees an absence late starts a
// thread once more. An all-zero Absence is valid: it means none.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace mmt::heap {

class Absence {
 public:
  // So many ends, each less than a second after the one before, are too many.
  static constexpr uint32_t kTooMany = 3;
  static constexpr uint64_t kSoonNs = 1'000'000'000;
  static constexpr uint64_t kLongNs = 60 * kSoonNs;
  // Bytes; each further end, less than a minute after the one before, doubles it.
  static constexpr uint64_t kVolume = uint64_t{256} << 20;
  static constexpr uint32_t kMostDoublings = 8;

  // The thread has been ended by a change. A clock that stands still lets none come again soon.
  void note_end(uint64_t now_ns, uint64_t volume) {
    const uint32_t ends = ends_.load(std::memory_order_relaxed);
    const uint64_t since = now_ns - last_ns_.load(std::memory_order_relaxed);
    const bool is_next = ends != 0 && since < (ends < kTooMany ? kSoonNs : kLongNs);
    const uint32_t now = is_next ? std::min(ends + 1, kTooMany + kMostDoublings) : 1;
    ends_.store(now, std::memory_order_relaxed);
    last_ns_.store(now_ns, std::memory_order_relaxed);
    if (now >= kTooMany) hold_until(volume + (kVolume << (now - kTooMany)));
  }
  // The program's threads have different rights.
  void note_difference() { until_.store(kForGood, std::memory_order_relaxed); }
  bool is_for_good() const { return until_.load(std::memory_order_relaxed) == kForGood; }

  // It has been ended too often, and has not been back for a minute since.
  bool is_long() const { return ends_.load(std::memory_order_relaxed) >= kTooMany; }

  bool holds(uint64_t volume) const { return volume < until_.load(std::memory_order_relaxed); }
  // The same for a thread that counts no volume.
  bool holds_at(uint64_t now_ns) const {
    return is_long() && now_ns - last_ns_.load(std::memory_order_relaxed) < kLongNs;
  }

  void reset_in_child() {
    ends_.store(0, std::memory_order_relaxed);
    until_.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr uint64_t kForGood = ~uint64_t{0};

  void hold_until(uint64_t volume) {
    if (!holds(volume - 1)) until_.store(volume, std::memory_order_relaxed);
  }

  std::atomic<uint64_t> last_ns_{0};
  std::atomic<uint64_t> until_{0};
  std::atomic<uint32_t> ends_{0};
};

}  // namespace mmt::heap
