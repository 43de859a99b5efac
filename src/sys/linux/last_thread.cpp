#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mmt/sys/clock.h>
#include <mmt/sys/file.h>
#include <mmt/sys/last_thread.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {
namespace {

constexpr long kKernelSigsetBytes = 8;

// Fields of /proc/self/stat, counted from the one behind the name.
constexpr int kThreads = 17;
constexpr int kExitCode = 49;

long field(const char* text, int which) {
  for (; which > 0; --which) {
    text = strchr(text, ' ');
    if (text == nullptr) return -1;
    ++text;
  }
  long value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + (*text - '0');
  return value;
}

// As the kernel reads it: a mask of one word, and no handler.
struct KernelAction {
  uintptr_t handler;
  unsigned long flags;
  uintptr_t restorer;
  uint64_t mask;
};

void die_of(int signal) {
  const KernelAction by_default{};
  raw_syscall(SYS_rt_sigaction, signal, pointer_argument(&by_default), 0, kKernelSigsetBytes);
  restore_signals(0);
  raw_syscall(SYS_tgkill, current_process_id(), current_thread_id(), signal);
}

constexpr long kMainAndThis = 2;

void wait_at(std::atomic<uint32_t>& word, uint32_t expected, int64_t wait_ns) {
  timespec wait{static_cast<time_t>(wait_ns / 1'000'000'000),
                static_cast<long>(wait_ns % 1'000'000'000)};
  raw_syscall(SYS_futex, pointer_argument(&word), FUTEX_WAIT_PRIVATE, static_cast<long>(expected),
              wait_ns < 0 ? 0 : pointer_argument(&wait));
}

// As a folder of threads has so many links more than an empty one. Opens nothing: these threads'
// files are numbered in order. False where the kernel does not count them so.
bool are_others_left() {
  constexpr long kOfEmptyFolder = 2;
  struct stat folder {};
  const long result = raw_syscall(SYS_newfstatat, AT_FDCWD, pointer_argument("/proc/self/task"),
                                  pointer_argument(&folder), 0);
  return result == 0 && static_cast<long>(folder.st_nlink) > kOfEmptyFolder + kMainAndThis;
}

}  // namespace

std::optional<int> status_of_last_thread() {
  if (!main_thread_has_ended() || is_quiet() || are_others_left()) return {};
  char text[1024];
  const long bytes = read_file("/proc/self/stat", text, sizeof text - 1);
  if (bytes <= 0) return {};
  text[bytes] = '\0';
  // A name may have brackets and spaces.
  const char* const name_end = strrchr(text, ')');
  if (name_end == nullptr || strlen(name_end) < 3) return {};
  const char* const fields = name_end + 2;
  if (field(fields, kThreads) != kMainAndThis) return {};
  const auto code = static_cast<int>(field(fields, kExitCode));
  constexpr int kSignals = 0x7f;
  if ((code & kSignals) != 0) die_of(code & kSignals);
  return code >> 8 & 0xff;
}

// A filter may kill for a call that it does not know. To wait for both reads a clock. The thread's
// starter may have forbidden it that.
bool WatchfulSleep::can_wait_for_both() {
  if (waits_ == Waits::kUnknown) {
    waits_ = raw_syscall(SYS_prctl, PR_GET_SECCOMP) == 0 ? Waits::kForBoth : Waits::kForOne;
    if (waits_ == Waits::kForBoth && is_counter_forbidden()) keep_to_coarse_clock();
  }
  return waits_ == Waits::kForBoth && !is_quiet();
}

void WatchfulSleep::operator()(std::atomic<uint32_t>& word, uint32_t expected, int64_t wait_ns) {
  constexpr int64_t kShortNs = 40'000'000;
  constexpr int64_t kLongestNs = 5'000'000'000;
  const auto at_most = [wait_ns](int64_t limit) {
    return wait_ns < 0 ? limit : std::min(wait_ns, limit);
  };
  if (!is_main_thread_watched()) return wait_at(word, expected, wait_ns);
  if (main_thread_has_ended()) return wait_at(word, expected, at_most(kShortNs));
  if (can_wait_for_both()) {
    // The kernel wakes the first of those who wait for the main thread's end. The first may be a
    // thread that joins it.
    const bool is_short = at_most(kShortNs) == wait_ns;
    const int64_t limit = !is_short && wake_who_joins_main() ? kShortNs : kLongestNs;
    if (wait_for_end_of_main(word, expected, at_most(limit))) return;
    waits_ = Waits::kForOne;
  }
  const int64_t wait = at_most(limit_ns_);
  if (wait != wait_ns) limit_ns_ = std::min(2 * limit_ns_, kLongestNs);
  wait_at(word, expected, wait);
}

}  // namespace mmt::sys
