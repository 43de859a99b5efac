// A child process that looks at one item after the other, and its parent with a clock.
#include "command/in_time.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace mmt::command {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// More is no answer.
constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
// How long to wait for a child that has been killed: one that is stuck dies later.
constexpr int kReapTries = 100;
constexpr useconds_t kReapPauseUs = 1000;

void write_whole(int pipe, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size != 0) {
    const ssize_t written = ::write(pipe, at, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(1);
    at += written;
    size -= static_cast<std::size_t>(written);
  }
}

class Looker {
 public:
  // Looks at the items from `first` on. `is_there()` is false where no process can be made.
  Looker(std::size_t first, std::size_t count, const Look& look) {
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ == 0) be_looker(parent, ends[1], first, count, look);
    ::close(ends[1]);
    pipe_ = ends[0];
    if (process_ < 0) ::close(std::exchange(pipe_, -1));
  }
  Looker(const Looker&) = delete;
  Looker& operator=(const Looker&) = delete;
  ~Looker() {
    if (pipe_ < 0) return;
    ::close(pipe_);
    ::kill(process_, SIGKILL);
    for (int i = 0; i < kReapTries && ::waitpid(process_, nullptr, WNOHANG) == 0; ++i)
      ::usleep(kReapPauseUs);
  }

  bool is_there() const { return pipe_ >= 0; }

  // What it saw of the next item.
  std::optional<std::string> next(milliseconds most) {
    const Clock::time_point deadline = Clock::now() + most;
    std::uint64_t size = 0;
    if (!read_whole(&size, sizeof size, deadline) || size > kMostBytes) return std::nullopt;
    std::string seen(size, '\0');
    if (!read_whole(seen.data(), seen.size(), deadline)) return std::nullopt;
    return seen;
  }

 private:
  [[noreturn]] static void be_looker(pid_t parent, int pipe, std::size_t first, std::size_t count,
                                     const Look& look) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    // A child that is stuck must not keep others waiting for the end of a stream.
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      if (stream != pipe) ::dup2(nothing, stream);
    }
    try {
      for (std::size_t item = first; item < count; ++item) {
        const std::string seen = look(item);
        const std::uint64_t size = seen.size();
        write_whole(pipe, &size, sizeof size);
        write_whole(pipe, seen.data(), seen.size());
      }
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }

  bool read_whole(void* data, std::size_t size, Clock::time_point deadline) const {
    char* at = static_cast<char*>(data);
    while (size != 0) {
      const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
      pollfd one{pipe_, POLLIN, 0};
      const int ready = ::poll(&one, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return false;
      const ssize_t got = ::read(pipe_, at, size);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      at += got;
      size -= static_cast<std::size_t>(got);
    }
    return true;
  }

  pid_t process_ = -1;
  int pipe_ = -1;
};

}  // namespace

void look_in_time(std::size_t count, milliseconds most, const Look& look, const TakeSeen& take) {
  const milliseconds least = most / 10;
  for (std::size_t item = 0; item < count;) {
    Looker looker(item, count, look);
    std::optional<std::string> seen;
    do {
      seen = looker.is_there() ? looker.next(most) : std::nullopt;
      const bool is_late = !seen;
      take(item++, std::move(seen));
      if (!is_late) continue;
      most = std::max(most / 2, least);
      break;
    } while (item < count);
  }
}

}  // namespace mmt::command
