// Starting, watching and measuring one program.
#include "cli/measure/bench_child.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <thread>

#include <fmt/format.h>

#include "cli/measure/exit_watch.h"
#include "command/failure.h"
#include "programs/program.h"

namespace mmt::cli {

using command::Failure;
using command::kFailed;
using command::kNotFound;
using programs::kShell;
using programs::mapped_files;

namespace {

constexpr std::array kInterrupts{SIGINT, SIGTERM, SIGHUP};
// How often an observed child is looked at, and how long an unobserved one is waited for at a time.
constexpr auto kObservePause = std::chrono::microseconds(500);
constexpr int kPollMs = 200;
// A child that is stopped as it exits needs fewer looks; but one may end by a signal.
constexpr int kWatchPauseMs = 5;

volatile std::sig_atomic_t interrupted = 0;
std::array<struct sigaction, kInterrupts.size()> former_actions;

// What the child tells before it becomes the program: once with the time, and again if exec fails.
struct Notice {
  int error = 0;
  const char* step = nullptr;  // of the same address space, so the pointer is good in both
  timespec start{};
};

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double now() {
  timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return seconds(time);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& one : texts) out.push_back(const_cast<char*>(one.c_str()));
  out.push_back(nullptr);
  return out;
}

// What is handed to exec, made before the fork.
struct Words {
  explicit Words(const ChildSpec& spec)
      : arguments(pointers(spec.arguments)), environment(pointers(spec.environment)) {
    of_shell = {const_cast<char*>(kShell), const_cast<char*>(spec.path.c_str())};
    of_shell.insert(of_shell.end(), arguments.begin() + 1, arguments.end());
  }

  std::vector<char*> arguments;
  std::vector<char*> environment;
  std::vector<char*> of_shell;  // which runs the program
};

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
      throw Failure(kFailed, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    }
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

bool redirect(int target, const char* path, int flags) {
  const int descriptor = ::open(path, flags, 0600);
  return descriptor >= 0 && ::dup2(descriptor, target) >= 0 &&
         (descriptor == target || ::close(descriptor) == 0);
}

bool write_to(int target, const std::string& path, int descriptor) {
  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  return descriptor >= 0 ? ::dup2(descriptor, target) >= 0 : redirect(target, path.c_str(), kWrite);
}

// What the parent tells it.
constexpr char kGo = 'g';
constexpr char kGoWatched = 'w';

// The child's side. Only async-signal-safe calls, no allocation.
[[noreturn]] void child(const ChildSpec& spec, const cpu_set_t& cpus, const Words& words,
                        const Pipe& go, const Pipe& notices, ExitWatch& exits) {
  Notice notice;
  const auto give_up = [&](const char* step) {
    notice.error = errno;
    notice.step = step;
    [[maybe_unused]] const ssize_t sent = ::write(notices.write_end(), &notice, sizeof notice);
    ::_exit(kNotFound);
  };
  ::setpgid(0, 0);
  ::close(go.write_end());  // else the read below outlives the parent
  for (const int signal : kInterrupts) ::signal(signal, SIG_DFL);
  if (!redirect(STDIN_FILENO, spec.input.c_str(), O_RDONLY)) give_up("open its standard input");
  if (!write_to(STDOUT_FILENO, spec.output, spec.output_descriptor)) {
    give_up("open its standard output");
  }
  if (!write_to(STDERR_FILENO, spec.errors, spec.errors_descriptor)) {
    give_up("open its standard error");
  }
  if (!spec.cpus.empty() && ::sched_setaffinity(0, sizeof cpus, &cpus) != 0) {
    give_up("bind it to its CPUs");
  }
  char start = 0;
  if (::read(go.read_end(), &start, 1) != 1) ::_exit(kNotFound);
  if (start == kGoWatched) exits.announce();
  ::clock_gettime(CLOCK_MONOTONIC, &notice.start);
  if (::write(notices.write_end(), &notice, sizeof notice) != sizeof notice) ::_exit(kNotFound);
  ::execve(spec.path.c_str(), words.arguments.data(), words.environment.data());
  // A text without #! goes to the shell, as by `mmt run`.
  if (errno == ENOEXEC && spec.is_text) {
    ::execve(kShell, words.of_shell.data(), words.environment.data());
  }
  give_up("execute it");
  ::_exit(kNotFound);
}

bool receive(const Pipe& notices, Notice* notice) {
  ssize_t size = 0;
  do {
    size = ::read(notices.read_end(), notice, sizeof *notice);
  } while (size < 0 && errno == EINTR);
  return size == sizeof *notice;
}

// A child process in a group of its own: killed and reaped when it goes out of scope unreaped.
class Watched {
 public:
  Watched(pid_t process, const ChildSpec& spec, ExitWatch& exits)
      : process_(process), spec_(spec), exits_(exits) {}
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() {
    if (reaped_) return;
    kill_group();
    // A traced child stops once more on its way out.
    int status = 0;
    while (::waitpid(process_, &status, __WALL) == process_ ? WIFSTOPPED(status) : errno == EINTR) {
      ::ptrace(PTRACE_CONT, process_, nullptr, nullptr);
    }
  }

  // Before the child may go on. False: ptrace is refused.
  bool trace() {
    traced_ = ::ptrace(PTRACE_SEIZE, process_, nullptr,
                       reinterpret_cast<void*>(PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL)) == 0;
    return traced_;
  }

  // Once the child has been told kGoWatched.
  void watch_exits() { is_watched_ = exits_.begin(); }

  ChildResult wait(double start) {
    if (spec_.observe_files) {
      wait_observing(start);
    } else {
      wait_quietly(start);
    }
    return result_;
  }

 private:
  void kill_group() const {
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);
  }

  void check(double start) {
    if (interrupted != 0) {
      throw Failure(128 + static_cast<int>(interrupted), "interrupted");
    }
    if (!result_.timed_out && now() - start > spec_.time_limit) {
      result_.timed_out = true;
      kill_group();
    }
  }

  // Sleeps until the child ends: nothing runs beside what is measured.
  void wait_quietly(double start) {
    const long descriptor = ::syscall(SYS_pidfd_open, process_, 0);
    if (descriptor < 0) {
      throw Failure(kFailed, fmt::format("cannot watch a process: {}", std::strerror(errno)));
    }
    pollfd poll{static_cast<int>(descriptor), POLLIN, 0};
    while (::poll(&poll, 1, kPollMs) <= 0 && interrupted == 0) {
      if (!result_.timed_out && now() - start > spec_.time_limit) break;
    }
    const double end = now();
    ::close(static_cast<int>(descriptor));
    if (poll.revents == 0) check(start);
    reap(start, end, 0);
  }

  void wait_observing(double start) {
    while (true) {
      if (!traced_) look();
      if (reap(start, now(), WNOHANG)) return;
      check(start);
      pause();
    }
  }

  void pause() {
    if (!is_watched_) return std::this_thread::sleep_for(kObservePause);
    if (!exits_.wait(kWatchPauseMs)) return;
    look();
    // Other threads go on, and what is mapped meanwhile may hide a file from one look.
    auto seen = std::move(result_.files);
    look();
    result_.files.insert(result_.files.end(), seen.begin(), seen.end());
    exits_.go_on();
  }

  void look() {
    auto files = mapped_files(process_);
    if (files && !files->empty()) result_.files = std::move(*files);
  }

  // True when the child has ended; a traced child that stopped is sent on.
  bool reap(double start, double end, int flags) {
    rusage usage{};
    int status = 0;
    pid_t waited = 0;
    do {
      waited = ::wait4(process_, &status, flags | __WALL, &usage);
    } while (waited < 0 && errno == EINTR);
    if (waited == 0) return false;
    if (waited < 0) throw Failure(kFailed, fmt::format("wait4: {}", std::strerror(errno)));
    if (WIFSTOPPED(status)) {
      resume(status);
      return false;
    }
    reaped_ = true;
    ::kill(-process_, SIGKILL);  // what it left behind would disturb the next run
    result_.status = status;
    result_.wall = end - start;
    result_.system = seconds(usage.ru_stime);
    result_.cpu = seconds(usage.ru_utime) + result_.system;
    result_.peak_rss = static_cast<double>(usage.ru_maxrss) * 1024;
    result_.minor_faults = static_cast<double>(usage.ru_minflt);
    result_.major_faults = static_cast<double>(usage.ru_majflt);
    return true;
  }

  void resume(int status) {
    const int event = status >> 16;
    const int signal = WSTOPSIG(status);
    if (event == PTRACE_EVENT_EXIT) look();
    const bool group_stop = event == PTRACE_EVENT_STOP && signal != SIGTRAP;
    const long deliver = event == 0 ? signal : 0;
    ::ptrace(group_stop ? PTRACE_LISTEN : PTRACE_CONT, process_, nullptr,
             reinterpret_cast<void*>(deliver));
  }

  pid_t process_;
  const ChildSpec& spec_;
  ChildResult result_;
  ExitWatch& exits_;
  bool is_watched_ = false;
  bool traced_ = false;
  bool reaped_ = false;
};

void on_interrupt(int signal) { interrupted = signal; }

}  // namespace

ChildResult run_child(const ChildSpec& spec) {
  if (interrupted != 0) throw Failure(128 + static_cast<int>(interrupted), "interrupted");
  const Words words(spec);
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  for (const int cpu : spec.cpus) CPU_SET(static_cast<unsigned>(cpu), &cpus);
  Pipe go;
  Pipe notices;
  ExitWatch exits;
  const pid_t process = ::fork();
  if (process < 0) throw Failure(kFailed, fmt::format("cannot fork: {}", std::strerror(errno)));
  if (process == 0) child(spec, cpus, words, go, notices, exits);
  Watched watched(process, spec, exits);
  notices.close_end(1);
  ::setpgid(process, process);
  const bool is_refused = spec.observe_files && !watched.trace();
  // A child that has given up reads no more; that this end is open too keeps SIGPIPE away, and the
  // child's notice tells why.
  if (::write(go.write_end(), is_refused ? &kGoWatched : &kGo, 1) != 1) {
    throw Failure(kFailed, fmt::format("cannot start '{}'", spec.path));
  }
  if (is_refused) watched.watch_exits();
  Notice notice;
  Notice problem;
  const bool started = receive(notices, &notice);
  if (started && notice.error != 0) problem = notice;
  if (problem.error == 0 && started) receive(notices, &problem);
  if (!started || problem.error != 0) {
    throw Failure(kFailed, fmt::format("cannot {}: {}", problem.step ? problem.step : "start it",
                                       std::strerror(problem.error)));
  }
  return watched.wait(seconds(notice.start));
}

double rss_floor() {
  const pid_t process = ::fork();
  if (process == 0) ::_exit(0);
  rusage usage{};
  if (process < 0 || ::wait4(process, nullptr, 0, &usage) != process) return 0;
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

InterruptGuard::InterruptGuard() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  for (std::size_t i = 0; i < kInterrupts.size(); ++i) {
    ::sigaction(kInterrupts[i], &action, &former_actions[i]);
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < kInterrupts.size(); ++i) {
    ::sigaction(kInterrupts[i], &former_actions[i], nullptr);
  }
}

}  // namespace mmt::cli
