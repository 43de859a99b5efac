// How an OffloadHeap comes to a thread of its own: one of pthread's, with all signals blocked. A
// policy; another may make the thread otherwise, bind it, or never want one.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include <cstdint>

#include <mmt/core/compiler.h>

namespace mmt::offload {

class PthreadServer {
 public:
  // After so many bytes of small blocks have been taken from the depot, one is started.
  static constexpr uint64_t kStartBytes = uint64_t{1} << 20;

  // Whether a thread would do any good: there is a second CPU that it may use.
  static bool is_wanted() {
    cpu_set_t usable;
    // A set that is too small for the machine is no sign of few.
    return ::sched_getaffinity(0, sizeof usable, &usable) != 0 || CPU_COUNT(&usable) > 1;
  }

  // Runs entry(argument) on a thread of its own, with pthread's attributes or some that the caller
  // has. False: the system forbids it.
  bool start(void (*entry)(void*), void* argument, const pthread_attr_t* attributes = nullptr) {
    entry_ = entry;
    argument_ = argument;
    const uint64_t before = set_signal_mask(all_but_libcs());
    is_started_ = ::pthread_create(&thread_, attributes, main, this) == 0;
    set_signal_mask(before);
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

  static uint64_t now_ns() {
    timespec now;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
  }

 private:
  // Signal 32 and what follows below SIGRTMIN are libc's own: setuid waits for each thread's
  // answer.
  static uint64_t all_but_libcs() {
    return ~((uint64_t{1} << (SIGRTMIN - 1)) - (uint64_t{1} << 31));
  }
  // The one before. The kernel's own width: libc's sets would take an eighth of a small stack each.
  static uint64_t set_signal_mask(uint64_t mask) {
    uint64_t before = 0;
    core::raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&mask),
                      reinterpret_cast<long>(&before), sizeof mask);
    return before;
  }
  static void* main(void* self) {
    auto* server = static_cast<PthreadServer*>(self);
    server->entry_(server->argument_);
    return nullptr;
  }

  static inline int generation_ = 1;

  pthread_t thread_{};
  bool is_started_ = false;
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
};

}  // namespace mmt::offload
