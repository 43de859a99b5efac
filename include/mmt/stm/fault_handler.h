// Catches SIGSEGV and SIGBUS for recovering.h: where the attempt that faults is doomed, the handler
// jumps to where it began. The attempts of a thread, one within another on other memories, are a
// list that the handler goes through, the innermost first. Nothing here is called from elsewhere.
#pragma once

#include <pthread.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <csetjmp>
#include <csignal>
#include <cstddef>

#include <mmt/stm/thread.h>

namespace mmt::stm::detail {

// Where to go on from a fault in an attempt, while this lives. One thread's.
class Recovery {
 public:
  explicit Recovery(Thread& thread) : thread_(thread), outer_(innermost) { innermost = this; }
  ~Recovery() { innermost = outer_; }
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

  jmp_buf& place() { return place_; }

  // After the jump. Attempts within this one are over.
  void recover() {
    for (; innermost != this; innermost = innermost->outer_) {
      innermost->thread_.recover();
      innermost->thread_.give_up(Reason::kFault);
    }
    thread_.recover();
  }

  // In the handler: jumps, or returns where no attempt is doomed.
  static void jump() {
    for (Recovery* one = innermost; one != nullptr; one = one->outer_) {
      if (one->thread_.is_doomed_at_fault()) std::longjmp(one->place_, 1);
    }
  }

 private:
  static inline thread_local Recovery* innermost = nullptr;

  Thread& thread_;
  Recovery* const outer_;
  jmp_buf place_;
};

class FaultHandler {
 public:
  // Once a process; never taken back.
  FaultHandler() {
    for (const int signal : kSignals) {
      struct sigaction ours = {};
      ours.sa_sigaction = handle;
      ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
      sigemptyset(&ours.sa_mask);
      ::sigaction(signal, &ours, &before(signal));
    }
  }

 private:
  static constexpr int kSignals[] = {SIGSEGV, SIGBUS};

  static struct sigaction& before(int signal) {
    static struct sigaction actions[2];
    return actions[signal == SIGSEGV ? 0 : 1];
  }

  static void handle(int signal, siginfo_t* info, void* context) {
    const bool is_fault = info->si_code > 0;  // and not sent by a process
    // As the jump out of the handler does not: what it asks may fault, too.
    ::pthread_sigmask(SIG_SETMASK, &static_cast<ucontext_t*>(context)->uc_sigmask, nullptr);
    if (is_fault) Recovery::jump();
    // Whoever was before us meets it when the instruction is repeated.
    ::sigaction(signal, &before(signal), nullptr);
    if (!is_fault) ::raise(signal);
  }
};

// Room for the handler, where a walk without end has used up the stack. One a thread.
class FaultStack {
 public:
  FaultStack() {
    stack_t now = {};
    if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0) return;
    void* const at =
        ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return;
    stack_t ours = {};
    ours.ss_sp = at;
    ours.ss_size = kBytes;
    if (::sigaltstack(&ours, nullptr) == 0) {
      at_ = at;
    } else {
      ::munmap(at, kBytes);
    }
  }
  ~FaultStack() {
    if (at_ == nullptr) return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
    ::munmap(at_, kBytes);
  }
  FaultStack(const FaultStack&) = delete;
  FaultStack& operator=(const FaultStack&) = delete;

 private:
  static constexpr size_t kBytes = size_t{64} << 10;

  void* at_ = nullptr;
};

inline void catch_faults() {
  static const FaultHandler handler;
  static thread_local const FaultStack stack;
}

}  // namespace mmt::stm::detail
