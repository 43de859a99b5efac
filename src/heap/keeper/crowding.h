#pragma once
// Do others want the CPU that the memory thread works on? Then the program's threads are better off
// putting surplus back themselves. One of two signs: more threads want a CPU than there are; of a
// piece of work it ran clearly less than it took. It then stands back for a while, twice as long
// each time that it is so again soon after. A pure decision by clocks and counts, so that it can be
// tested with any.
#include <algorithm>
#include <cstdint>

namespace mmt::heap {

class Crowding {
 public:
  // Work that ended at `now` took so long, of which the thread ran `cpu_ns`.
  void worked(uint64_t now, uint64_t wall_ns, uint64_t cpu_ns) {
    if (wall_ns >= kTellingNs && cpu_ns * 10 < wall_ns * 8) stand_back(now);
  }
  // At `now` so many threads run or wait, itself included.
  void looked(uint64_t now, unsigned runnable, unsigned cpus) {
    next_look_ = now + kLookNs;
    if (runnable > cpus) stand_back(now);
  }
  bool is_look_due(uint64_t now) const { return now >= next_look_; }
  bool stands_back(uint64_t now) const { return now < until_; }

 private:
  static constexpr uint64_t kTellingNs = 100'000;
  static constexpr uint64_t kLookNs = 20'000'000;
  static constexpr uint64_t kFirstRestNs = 40'000'000;
  static constexpr uint64_t kLongestRestNs = 1'280'000'000;
  static constexpr uint64_t kRecoveredNs = 200'000'000;

  void stand_back(uint64_t now) {
    if (now < until_) return;
    const bool again = now < until_ + kRecoveredNs;
    rest_ns_ = again && rest_ns_ != 0 ? std::min(2 * rest_ns_, kLongestRestNs) : kFirstRestNs;
    until_ = now + rest_ns_;
  }

  uint64_t next_look_ = 0;
  uint64_t until_ = 0;
  uint64_t rest_ns_ = 0;
};

}  // namespace mmt::heap
