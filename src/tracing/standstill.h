// Whether the recorded program waits for ever: its threads hold all chunks of the pool, some wait
// for one, and no chunk comes back. A thread keeps its chunk while it does nothing, and it may do
// nothing until those that wait have gone on.
#pragma once

#include <cstdint>

namespace mmt::tracing {

class Standstill {
 public:
  // What is pending is read, and what a killed thread has left is given up, long before that.
  static constexpr std::uint64_t kLimitNs = 4'000'000'000;

  // One look, at times that go up. `free` chunks there are; `given` and `looks` only go up: chunks
  // that came back, and looks for one by threads that wait.
  bool look(std::uint64_t now_ns, std::uint64_t free, std::uint64_t given, std::uint64_t looks) {
    if (looks != looks_) looks_ns_ = now_ns;
    const bool is_waiting = looks != 0 && now_ns - looks_ns_ <= kWaitingNs;
    // Between looks far apart, this process did not run.
    const bool is_late = now_ns - last_ns_ > kWaitingNs;
    if (free != 0 || given != given_ || !is_waiting || is_late) since_ns_ = now_ns;
    looks_ = looks;
    given_ = given;
    last_ns_ = now_ns;
    return now_ns - since_ns_ > kLimitNs;
  }

 private:
  // Threads that wait are seen to do so at least that often, however busy the machine is.
  static constexpr std::uint64_t kWaitingNs = 1'000'000'000;

  std::uint64_t looks_ = 0;
  std::uint64_t looks_ns_ = 0;
  std::uint64_t given_ = 0;
  std::uint64_t last_ns_ = 0;
  std::uint64_t since_ns_ = 0;  // since then nothing has moved
};

}  // namespace mmt::tracing
