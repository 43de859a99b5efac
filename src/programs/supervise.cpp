// The parent of the program of `mmt run --stats`.
#include "programs/supervise.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "command/failure.h"
#include "command/message.h"

namespace mmt::programs {

using command::Failure;
using command::kRunFailed;
using command::tell;

namespace {

[[noreturn]] void cannot(const char* what) {
  throw Failure(kRunFailed, fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

class Supervisor {
 public:
  Supervisor() {
    sigset_t all;
    sigfillset(&all);
    // Ignored ones would take the ended children's status away.
    child_before_ = ::signal(SIGCHLD, SIG_DFL);
    ::sigprocmask(SIG_BLOCK, &all, &before_);
    signals_ = ::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals_ < 0) cannot("receive signals");
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  }

  // False: the program could not be executed.
  bool start(const std::function<void()>& become) {
    std::array<int, 2> failed;
    if (::pipe2(failed.data(), O_CLOEXEC) != 0) cannot("make a pipe");
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    program_ = ::fork();
    if (program_ < 0) cannot("start a process");
    if (program_ == 0) be_program(parent, become, failed[1]);
    ::close(failed[1]);
    char mark = 0;
    const bool is_started = ::read(failed[0], &mark, 1) == 0;
    ::close(failed[0]);
    return is_started;
  }

  int wait(int news, const std::function<void()>& on_news) {
    let_streams_go();
    while (true) {
      if (reap()) return status_;
      std::array<pollfd, 2> ready{{{signals_, POLLIN, 0}, {news, POLLIN, 0}}};
      if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) cannot("wait");
      if ((ready[1].revents & POLLIN) != 0) on_news();
      signalfd_siginfo one;
      while (::read(signals_, &one, sizeof one) == static_cast<ssize_t>(sizeof one)) handle(one);
    }
  }

  pid_t program() const { return program_; }
  const rusage& usage() const { return usage_; }

 private:
  [[noreturn]] void be_program(pid_t parent, const std::function<void()>& become, int failed) {
    // A SIGKILL that is sent to this process is meant for the program.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (::getppid() != parent) ::_exit(kRunFailed);
    ::signal(SIGCHLD, child_before_);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    int status = kRunFailed;
    try {
      become();
    } catch (const Failure& failure) {
      tell(failure.what());
      status = failure.status();
    }
    const ssize_t told = ::write(failed, "x", 1);
    ::_exit(told == 1 ? status : kRunFailed);
  }

  // All but standard error, for the report, and what this process itself has opened.
  void let_streams_go() {
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing >= 0) {
      ::dup2(nothing, STDIN_FILENO);
      ::dup2(nothing, STDOUT_FILENO);
      ::close(nothing);
    }
    std::vector<int> inherited;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
      const int one = std::atoi(entry.path().filename().c_str());
      const int flags = ::fcntl(one, F_GETFD);
      // Our own are closed at exec, others' are not: they were inherited.
      if (one > STDERR_FILENO && flags >= 0 && (flags & FD_CLOEXEC) == 0) inherited.push_back(one);
    }
    for (const int one : inherited) ::close(one);
  }

  // True when the program has ended.
  bool reap() {
    while (true) {
      int status = 0;
      rusage usage{};
      const pid_t child = ::wait4(-1, &status, WUNTRACED | WCONTINUED | WNOHANG, &usage);
      if (child <= 0) return has_ended_;
      const bool is_over = WIFEXITED(status) || WIFSIGNALED(status);
      if (is_over && !earlier_.contains(child)) add(usage);
      if (child != program_) continue;
      if (WIFSTOPPED(status)) stop_too(WSTOPSIG(status));
      if (WIFCONTINUED(status)) is_stopped_ = false;
      if (is_over) {
        has_ended_ = true;
        status_ = status;
      }
    }
  }

  // What RUSAGE_CHILDREN has, without what a shell waited for before it became this process.
  void add(const rusage& more) {
    timeradd(&usage_.ru_utime, &more.ru_utime, &usage_.ru_utime);
    timeradd(&usage_.ru_stime, &more.ru_stime, &usage_.ru_stime);
    usage_.ru_maxrss = std::max(usage_.ru_maxrss, more.ru_maxrss);
    usage_.ru_minflt += more.ru_minflt;
    usage_.ru_majflt += more.ru_majflt;
  }

  // As the shell that waits for this process expects of a job.
  void stop_too(int signal) {
    is_stopped_ = true;
    had_terminal_ = has_terminal(::getpgid(program_)) && ::getpgid(program_) != ::getpgrp();
    if (signal == SIGSTOP) {
      ::kill(::getpid(), SIGSTOP);
      return;
    }
    // Blocked for the program's sake; it does nothing in an orphaned group, as the program's did.
    const auto before = ::signal(signal, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    ::raise(signal);
    ::sigprocmask(SIG_UNBLOCK, &only, nullptr);
    ::sigprocmask(SIG_BLOCK, &only, nullptr);
    ::signal(signal, before);
  }

  // The shell gave the terminal to our group. A program that was in the foreground with a group of
  // its own, such as another shell, expects to be there again.
  void go_on() {
    if (had_terminal_ && has_terminal(::getpgrp())) {
      const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
      ::tcsetpgrp(terminal, ::getpgid(program_));
      ::close(terminal);
    }
    ::kill(program_, SIGCONT);
  }

  static bool has_terminal(pid_t group) {
    const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (terminal < 0) return false;
    const bool is_ours = ::tcgetpgrp(terminal) == group;
    ::close(terminal);
    return is_ours;
  }

  void handle(const signalfd_siginfo& one) {
    const int signal = static_cast<int>(one.ssi_signo);
    if (signal == SIGCHLD) return;
    if (signal == SIGCONT && is_stopped_) {
      go_on();
      return;
    }
    // The kernel's own come from the terminal, which has sent them to the program as well.
    const bool is_sent = one.ssi_code <= 0 && static_cast<pid_t>(one.ssi_pid) != ::getpid();
    if (!is_sent) return;
    if (one.ssi_code == SI_QUEUE) {
      ::sigqueue(program_, signal, {.sival_ptr = reinterpret_cast<void*>(one.ssi_ptr)});
    } else {
      ::kill(program_, signal);
    }
  }

  sigset_t before_{};
  sighandler_t child_before_ = SIG_DFL;
  int signals_ = -1;
  pid_t program_ = 0;
  bool is_stopped_ = false;
  bool had_terminal_ = false;  // when it stopped
  bool has_ended_ = false;
  int status_ = 0;
  const std::set<pid_t> earlier_ = own_children();
  rusage usage_{};
};

}  // namespace

std::set<pid_t> own_children() {
  std::ifstream file("/proc/thread-self/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

Ending supervise(const std::function<void()>& become, int news,
                 const std::function<void()>& on_news) {
  Ending ending;
  const auto start = std::chrono::steady_clock::now();
  Supervisor supervisor;
  ending.is_started = supervisor.start(become);
  ending.process = supervisor.program();
  ending.status = supervisor.wait(news, on_news);
  ending.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ending.usage = supervisor.usage();
  return ending;
}

void end_like(int status) {
  std::fflush(nullptr);
  if (WIFEXITED(status)) ::_exit(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // The first process of a name space of processes outlives its own signals.
  ::_exit(128 + signal);
}

}  // namespace mmt::programs
