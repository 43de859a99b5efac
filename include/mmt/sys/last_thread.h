#pragma once
// How a thread of ours ends where it may be the process's last. The program's last thread may end
// without an exit of the process, by a raw call or a seccomp filter that kills. It must not leave
// ours behind. The kernel takes the process's exit status from the last thread, which is the
// program's to choose.
#include <atomic>
#include <cstdint>
#include <optional>

namespace mmt::sys {

// Returns what the main thread has ended with, where it has ended and no other is left but the
// caller. The caller is to end with it. If that was a signal, the call does not return, but ends
// the process by it. Returns nothing elsewhere, and where it cannot be told: without /proc, or
// under a seccomp filter. Opens a file for a moment, if the two are left.
std::optional<int> status_of_last_thread();

// How a thread of ours sleeps without missing the main thread's end, after which it may be the
// last. It is its thread's own. All zero is valid but for the limit.
class WatchfulSleep {
 public:
  void note_work() { limit_ns_ = kFirstNs; }

  // Sleeps while `word` holds `expected`, for `wait_ns` at most; a negative `wait_ns` means no
  // limit. The sleep ends when somebody wakes one private sleeper at the word, when the main thread
  // ends, or for no reason. The sleep has a limit where the kernel cannot wait for both, and where
  // another waits for the main thread's end too. Once the main thread has ended, the limit is
  // short. Changes no errno.
  void operator()(std::atomic<uint32_t>& word, uint32_t expected, int64_t wait_ns);

 private:
  static constexpr int64_t kFirstNs = 50'000'000;

  enum class Waits : uint8_t { kUnknown, kForBoth, kForOne };

  bool can_wait_for_both();

  int64_t limit_ns_ = kFirstNs;  // where it waits for one: the longer nothing was done, the longer
  Waits waits_ = Waits::kUnknown;
};

}  // namespace mmt::sys
