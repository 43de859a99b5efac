#pragma once
// Does the memory thread take the CPU away from others? Then the program's threads are better off
// serving themselves for a while. The sign, looked for in windows of a few milliseconds in which
// some thread allocated or freed: it spins or works, and gets clearly less than a whole CPU, as the
// kernel gave its CPU to other threads. Where it was not preempted, the host of a virtual machine
// took the CPU: the program can use it as little as the memory thread, and would gain nothing. A
// pure decision by clocks, so that it can be tested with any.
#include <cstdint>

namespace mmt::offload {

class Crowding {
 public:
  struct Load {
    uint64_t cpu_ns;          // of the memory thread, so far
    uint64_t preemptions;     // of it, so far
    uint32_t active_threads;  // that used the heap since this was asked last
  };

  void set_cpus(uint32_t cpus) { cpus_ = cpus; }

  // The thread was asleep until now: what was measured before tells nothing.
  void restart() { measuring_ = false; }

  // Asked often while awake; `load()` is asked once a window. True: crowded in three windows, one
  // after the other; rest_ns() then says how long to stand back.
  template <class GetLoad>
  bool crowded(uint64_t now, GetLoad&& get_load) {
    if (measuring_ && now - start_ < kWindowNs) return false;
    const Load load = get_load();
    full_house_ = load.active_threads >= cpus_;
    const bool full = measuring_ && is_full(now - start_, load);
    measuring_ = true;
    start_ = now;
    at_start_ = load;
    full_windows_ = full ? full_windows_ + 1 : 0;
    if (full_windows_ < kWindows) {
      if (!full && now - returned_ > kRecoveredNs) rest_ns_ = 0;
      return false;
    }
    full_windows_ = 0;
    rest_ns_ = rest_ns_ == 0 ? kFirstRestNs : rest_ns_ * 2;
    if (rest_ns_ > kLongestRestNs) rest_ns_ = kLongestRestNs;
    return true;
  }

  // As many threads allocated lately as there are CPUs: whoever spins takes one away from them.
  bool full_house() const { return full_house_; }

  // Longer each time that it was crowded again soon after.
  uint64_t rest_ns() const { return rest_ns_; }
  void returned(uint64_t now) {
    returned_ = now;
    restart();
  }

 private:
  static constexpr uint64_t kWindowNs = 3000000;
  static constexpr int kWindows = 3;
  static constexpr uint64_t kFirstRestNs = 40000000;
  static constexpr uint64_t kLongestRestNs = 640000000;
  static constexpr uint64_t kRecoveredNs = 50000000;

  bool is_full(uint64_t wall, const Load& load) const {
    if (load.active_threads == 0) return false;  // in nobody's way
    const bool preempted = load.preemptions != at_start_.preemptions;
    return preempted && (load.cpu_ns - at_start_.cpu_ns) * 10 < wall * 8;
  }

  uint32_t cpus_ = 2;
  bool measuring_ = false;
  bool full_house_ = false;
  int full_windows_ = 0;
  uint64_t start_ = 0;
  Load at_start_{};
  uint64_t rest_ns_ = 0;
  uint64_t returned_ = 0;
};

}  // namespace mmt::offload
