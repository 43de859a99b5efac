#pragma once
// A thread of ours below libc that comes and goes. It must not be in the way of calls that change
// the user, the name space, or what system calls there are. So it is told to leave before them.
// Any thread, any context, unless stated. All orders are relaxed: a caller that sees a switch late
// starts a thread that would have been refused and leaves again. All zero is valid.
#include <atomic>
#include <cstdint>

#include <mmt/sys/clock.h>
#include <mmt/sys/last_thread.h>
#include <mmt/sys/rights.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {

class HiddenThread {
 public:
  // See RawThread. One starter at a time; until the thread has given up what it may, it has all
  // that its starter has.
  long start(void (*entry)(void*), void* argument) {
    kept_.store(Kept::kUnknown, std::memory_order_relaxed);
    return thread_.start(entry, argument);
  }
  uint32_t id() const { return thread_.id(); }
  // False: one that has left is there still, in the kernel's last steps.
  bool is_gone() const { return thread_.wait_end(thread_.id(), kLastStepsNs); }

  // Ends the thread, if there is one, at a moment when the thread holds nothing. A call of wake()
  // cuts its sleep short, or the thread finds the request before it sleeps. A caller that waits in
  // vain for seconds goes on, and the thread leaves as soon as it can. Returns the thread's id; 0:
  // there was none, or it is another process's.
  template <class Wake>
  uint32_t stop(Wake&& wake) {
    const uint32_t id = thread_.id();
    if (id == 0 || !at_home()) return 0;
    const uint64_t limit = coarse_ns() + kLeaveLimitNs;
    do {
      // Said again now and then, since a late request for an earlier thread may replace this one.
      ask_to_leave(id);
      wake();
    } while (!thread_.wait_end(id, kLastStepsNs) && coarse_ns() < limit);
    return id;
  }
  // The same for one of this id, without waiting.
  void ask_to_leave(uint32_t id) { leaving_.store(id, std::memory_order_relaxed); }
  // Whether that was asked of the thread of this id.
  bool must_leave(uint32_t id) const { return leaving_.load(std::memory_order_relaxed) == id; }
  // By the thread, as it leaves.
  void has_left() { leaving_.store(0, std::memory_order_relaxed); }

  // By the thread, as it begins: gives up all capabilities that it can. False: it stands under a
  // filter, and asks for nothing.
  bool give_up_rights() {
    if (is_filtered()) return false;
    kept_.store(give_up_capabilities(), std::memory_order_relaxed);
    return true;
  }
  // The program gives up capabilities, or a part of its bounding set: whether the thread has more.
  bool has_more_than(bool bounding_set) const {
    const Kept now = kept_.load(std::memory_order_relaxed);
    return now == Kept::kUnknown || (bounding_set && now == Kept::kBoundingSet);
  }

  // False: the caller is a vfork's child, which shares the thread's process's memory.
  bool at_home() const {
    const uint32_t home = home_.load(std::memory_order_relaxed);
    return home == 0 || home == current_process_id();
  }
  // The calling process is the one that the thread belongs to.
  void adopt_process() {
    const uint32_t process = current_process_id();
    home_.store(process, std::memory_order_relaxed);
    watch_main_thread(process);
  }
  bool has_home() const { return home_.load(std::memory_order_relaxed) != 0; }

  // None is started from now on; `forks_too`: nor in forks' children. Makes no system call.
  void start_none(bool forks_too) {
    no_more_.store(true, std::memory_order_relaxed);
    if (forks_too) no_more_in_children_.store(true, std::memory_order_relaxed);
  }
  bool stays_away() const { return no_more_.load(std::memory_order_relaxed); }

  // A fork's child, where there is none. False: none is ever started there either, and it does not
  // matter whose it is: to ask might kill. Else adopt_process() is to follow.
  bool reset_in_child() {
    thread_.reset_in_child();
    leaving_.store(0, std::memory_order_relaxed);
    kept_.store(Kept::kNothing, std::memory_order_relaxed);
    const bool stays_away = no_more_in_children_.load(std::memory_order_relaxed);
    no_more_.store(stays_away, std::memory_order_relaxed);
    return !stays_away;
  }

 private:
  // Far beyond what any step of such a thread takes.
  static constexpr uint64_t kLeaveLimitNs = 5000 * kNanosAMilli;
  // For the kernel's share in the end of a thread that has left.
  static constexpr uint64_t kLastStepsNs = 10 * kNanosAMilli;

  RawThread thread_{};
  // Id of the thread that is to leave. Naming it, a request that comes late does not reach the
  // next.
  std::atomic<uint32_t> leaving_{0};
  std::atomic<uint32_t> home_{0};  // the process; 0: the library has not been loaded yet
  std::atomic<bool> no_more_{false};
  std::atomic<bool> no_more_in_children_{false};
  std::atomic<Kept> kept_{Kept::kNothing};
};

}  // namespace mmt::sys
