// How an OffloadHeap comes to a thread of its own: one of pthread's, with all signals blocked that
// the kernel does not force. A policy; another may make the thread otherwise, bind it, or never
// want one.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#include <atomic>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>
#include <mmt/sys/forced_signals.h>

namespace mmt::layers {

class PthreadServer {
 public:
  // After so many bytes of small blocks have been taken from the depot, one is started.
  static constexpr uint64_t kStartBytes = uint64_t{1} << 20;

  // The result tells whether a thread would do any good. There must be a second CPU that the thread
  // may use, and no filter of the program's that could kill for its calls.
  static bool is_wanted() {
    if (sys::are_calls_trapped()) return false;
    cpu_set_t usable;
    // A set that is too small for the machine is no sign of few.
    return ::sched_getaffinity(0, sizeof usable, &usable) != 0 || CPU_COUNT(&usable) > 1;
  }

  // Runs entry(argument) on a thread of its own, with pthread's attributes or some that the caller
  // has. False: the system forbids it.
  bool start(void (*entry)(void*), void* argument, const pthread_attr_t* attributes = nullptr) {
    join();  // one that has left
    entry_ = entry;
    argument_ = argument;
    // Those that the kernel forces are left to the thread itself: libc makes system calls here.
    const uint64_t before = change_signals(SIG_BLOCK, all_but_libcs() & ~sys::kForcedSignals);
    is_started_ = ::pthread_create(&thread_, attributes, main, this) == 0;
    change_signals(SIG_SETMASK, before);
    return is_started_;
  }
  // Waits for the end of entry.
  void join() {
    if (is_started_) ::pthread_join(thread_, nullptr);
    is_started_ = false;
  }
  // A fork's child: the thread is not there.
  void reset_in_child() { is_started_ = false; }

  // The calling thread's id.
  static uint32_t self() {
    static thread_local uint32_t id = 0;
    static thread_local int generation = 0;
    // A fork's child has another id, and its parent's memory.
    if (MMT_UNLIKELY(generation != generation_)) {
      id = static_cast<uint32_t>(core::raw_syscall(SYS_gettid));
      generation = generation_;
    }
    return id;
  }
  static void forget_ids() { ++generation_; }

  // By the thread that opens the heap, and in a fork's child.
  static void adopt_process() {}
  // How the server sleeps where it has nothing to do; and whether it is to end then, as all that
  // the process has left.
  static void sleep(std::atomic<uint32_t>& word, uint32_t expected, int64_t wait_ns) {
    sync::RealSync::futex_wait(word, expected, wait_ns);
  }
  static bool is_last() { return false; }

  static uint64_t now_ns() {
    timespec now;
    ::clock_gettime(clock_, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
  }

 private:
  // Signal 32 and what follows below SIGRTMIN are libc's own: setuid waits for each thread's
  // answer.
  static uint64_t all_but_libcs() {
    return ~((uint64_t{1} << (SIGRTMIN - 1)) - (uint64_t{1} << 31));
  }
  // Gives the mask before. It has the kernel's own width: libc's sets would take an eighth of a
  // small stack each.
  static uint64_t change_signals(int how, uint64_t mask) {
    uint64_t before = 0;
    core::raw_syscall(SYS_rt_sigprocmask, how, reinterpret_cast<long>(&mask),
                      reinterpret_cast<long>(&before), sizeof mask);
    return before;
  }
  static void* main(void* self) {
    auto* server = static_cast<PthreadServer*>(self);
    // The thread that started this one may have blocked libc's own too. A fault that the program
    // answers comes to it from here as from a thread of its own. An example is a fault in a freed
    // block whose pages the program protects.
    change_signals(SIG_SETMASK, all_but_libcs() & ~sys::kForcedSignals);
    choose_clock();
    server->entry_(server->argument_);
    return nullptr;
  }

  // The kernel's last tick, where the program has forbidden itself the cycle counter, and with it
  // who it starts.
  static void choose_clock() {
#if defined(__x86_64__)
    int mode = PR_TSC_ENABLE;
    core::raw_syscall(SYS_prctl, PR_GET_TSC, reinterpret_cast<long>(&mode));
    if (mode == PR_TSC_SIGSEGV) clock_ = CLOCK_MONOTONIC_COARSE;
#endif
  }

  static inline int generation_ = 1;
  static inline clockid_t clock_ = CLOCK_MONOTONIC;  // written before the thread first asks

  pthread_t thread_{};
  bool is_started_ = false;
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
};

}  // namespace mmt::layers
