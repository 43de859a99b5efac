#pragma once
// How a thread of ours that libc knows comes to have no more rights than the program's. Libc
// carries its own changes of users over to our thread, and aborts where one thread is refused what
// another is granted. So our thread keeps the capabilities for that. Threads of the program hand
// over what each changes for itself. Our thread takes it over between two of its steps, before
// their calls return.
//
// Nothing is asked for under a seccomp filter that the process was started with, which might kill.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sys/rights.h>
#include <mmt/sys/scheduling.h>
#include <mmt/sys/syscall.h>

namespace mmt::sys {

class RightsHandover {
 public:
  // --- who makes the thread of ours ---

  // Before it does: whoever changes rights meanwhile waits for it, until open() or close(), which
  // its maker calls where there is none.
  void expect();

  // --- the thread of ours ---

  // As it starts: gives up all but those capabilities.
  void open();
  // Between two steps, and before it sleeps.
  bool is_asked() const { return MMT_UNLIKELY(state_.load(std::memory_order_acquire) == kAsked); }
  // It is asked: takes over what was handed over.
  void answer();
  // It has looked at the program's threads: goes on with no more capabilities than the least, and
  // as the weakest of them.
  void follow(const RightsWatch& watch) const;
  // As it ends.
  void close() { thread_.store(0, std::memory_order_relaxed); }

  // --- threads of the program, in any context ---

  // The thread soon takes the caller's users, groups and capabilities. It also makes the call that
  // the caller has made, where that has a number; `wake` wakes it. Waits five seconds at most, and
  // as long for a thread that asked before.
  template <class Wake>
  void hand_over(const SystemCall& made, Wake&& wake) {
    const uint32_t thread = await_thread();
    uint32_t ticket;
    if (thread == 0 || !begin(made, &ticket)) return;
    wake();
    finish(thread, ticket);
  }
  // The caller may have changed how threads are scheduled: it is no stronger than the main thread
  // and the caller.
  void follow_class_of_caller();

  // A fork's child, where the thread is not there.
  void reset_in_child();

 private:
  static constexpr size_t kMostGroups = 64;
  static constexpr uint32_t kComing = ~0u;
  enum State : uint32_t { kIdle, kWriting, kAsked };

  struct Identity {
    uint32_t users[4];  // real, effective, saved, of files
    uint32_t groups[4];
    uint32_t more[kMostGroups];
    long more_count;  // negative: more than these

    void read();
    void take_over(const Identity& own) const;
  };

  // 0: there is none in this process.
  uint32_t await_thread() const;
  bool begin(const SystemCall& made, uint32_t* ticket);
  void finish(uint32_t thread, uint32_t ticket);
  void forget(uint32_t thread);

  // Acquire and release throughout: a thread that sees a state sees what was written before it.
  std::atomic<uint32_t> state_{kIdle};
  std::atomic<uint32_t> thread_{0};    // or kComing; relaxed, as what follows: numbers
  std::atomic<uint32_t> process_{0};   // a vfork's child shares its parent's memory
  std::atomic<uint32_t> answered_{0};  // the last that was: they are numbered
  uint32_t ticket_ = 0;  // the thread that made it kWriting writes this and what follows
  uint32_t asker_ = 0;
  bool is_dumpable_ = false;
  Identity wanted_{};
  SystemCall made_{};
};

}  // namespace mmt::sys
