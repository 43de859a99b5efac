#pragma once
// How a thread of ours ends where it may be the process's last. The program's last thread may end
// without an exit of the process, by a raw call or a seccomp filter that kills, and is not to leave
// ours behind. The kernel takes the process's exit status from the last thread, which is the
// program's to choose.
#include <cstdint>
#include <optional>

namespace mmt::sys {

// Where the main thread has ended and no other is left but the caller: what the main thread has
// ended with, for the caller to end with. Was that a signal, it does not return, but ends the
// process by it. Nothing elsewhere, and where it cannot be told: without /proc, or under a seccomp
// filter. Opens a file for a moment, if the two are left.
std::optional<int> status_of_last_thread();

// How long a thread of ours may sleep at most, as the main thread may end meanwhile and wakes
// nobody: the longer nothing was done, the longer. Its thread's own.
class MainThreadLooks {
 public:
  void note_work() { limit_ns_ = kFirstNs; }
  // `wait`, negative for without limit, or less.
  int64_t longest_sleep(int64_t wait);

 private:
  static constexpr int64_t kFirstNs = 50'000'000;

  int64_t limit_ns_ = kFirstNs;
};

}  // namespace mmt::sys
