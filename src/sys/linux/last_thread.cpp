#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

int64_t MainThreadLooks::longest_sleep(int64_t wait) {
  constexpr int64_t kLongestNs = 5'000'000'000;
  if (!is_main_thread_watched()) return wait;
  const int64_t limit = limit_ns_;
  limit_ns_ = std::min(2 * limit, kLongestNs);
  return wait < 0 ? limit : std::min(wait, limit);
}

}  // namespace mmt::sys
