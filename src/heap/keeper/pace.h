#pragma once
// The pace is how long the memory thread sleeps between two bursts of work. The thread is awake for
// as long as it works. It looks again after some milliseconds while it finds something. It sleeps
// until it is told once it has found nothing for a while. A client that uses up what lies ready may
// cut a sleep short, while there are no more than 200 wake-ups a second. A rest leaves up to 100
// more over. The pace is a pure decision by a clock, so that it can be tested with any clock.
#include <algorithm>
#include <cstdint>

namespace mmt::heap {

class Pace {
 public:
  static constexpr int64_t kNapNs = 5'000'000;
  static constexpr uint64_t kIdleNs = 20'000'000;

  // It wakes up, or starts, at `now`; monotonic, ns.
  void woke(uint64_t now) {
    const auto slept = static_cast<int64_t>(std::min<uint64_t>(now - woke_, kMostCreditNs));
    credit_ns_ = std::max(std::min(credit_ns_ + slept, kMostCreditNs) - kNapNs, -kNapNs);
    woke_ = now;
  }
  // There was work at `now`.
  void worked(uint64_t now) { worked_ = now; }
  // There was none for so long that it need not look by itself.
  bool is_idle(uint64_t now) const { return now - worked_ >= kIdleNs; }
  // Its sleeps so far allow for one that is cut short.
  bool may_be_woken() const { return credit_ns_ >= kNapNs; }

 private:
  // Sleeps longer than a nap leave so many wake-ups over, at most: half a second's.
  static constexpr int64_t kMostCreditNs = 100 * kNapNs;

  uint64_t woke_ = 0;
  uint64_t worked_ = 0;
  int64_t credit_ns_ = 0;
};

}  // namespace mmt::heap
