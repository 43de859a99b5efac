#pragma once
// The memory thread of a protocol that has one: goes round the clients, spins, naps and parks. For
// a fork, and where the program moves the break, it stops between two rounds: nothing is half done.
//
// Client::serve(): one round of the memory thread's part; false: there was nothing to do.
#include <sched.h>

#include <atomic>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/ladder.h>
#include <mmt/sync/parker.h>
#include <mmt/sync/rest.h>
#include <mmt/sync/server_role.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/limits.h>
#include <mmt/sys/rights_handover.h>
#include <mmt/sys/thread.h>

#include "heaps/process_server.h"
#include "interprocess/protocol_options.h"
#include "protocols/own_stack.h"
#include "protocols/primitives.h"
#include "protocols/traced_lock.h"

namespace mmt::protocols {

template <class Clients>
class MemoryThread {
 public:
  static bool is_running() { return own_pauses_ == 0 && role_.is_running(); }
  // What is given away to it will be cleared.
  static bool clears() { return role_.is_running() || is_starting(); }
  static void wake() { parker_.wake_if_parked(); }
  static void wake_now() { parker_.wake(); }

  // A thread is about to allocate so much and is inside: starts the memory thread when that is due.
  static void note(uint64_t bytes) {
    if (MMT_LIKELY(role_.state() != role_.kNotStarted)) return;
    if (volume_.fetch_add(bytes, std::memory_order_relaxed) + bytes < backend::options.start)
      return;
    // It would be a vfork's child's thread, and end with it.
    if (home_ != sys::current_process_id()) return;
    // A handler that forks waits for the start to be over. What pthread allocates stays to the end
    // of the process, beyond what is ours.
    const typename Clients::Passage passage;
    if (!role_.claim_start()) return;
    // What it would use up is the program's.
    const bool is_limited = sys::is_cpu_time_limited() || sys::are_tasks_limited();
    if (!thread_.is_wanted() || is_limited) return role_.stay_away();
    starter_cpu_ = ::sched_getcpu();
    OwnStack stack;
    handover_.expect();
    if (thread_.start(serve, nullptr, stack.attributes())) return;
    handover_.close();
    stack.give_back();
    role_.fail();
  }
  // As the library is loaded, and in a fork's child.
  static void adopt_process() {
    home_ = sys::current_process_id();
    thread_.adopt_process();
  }

  // Stops it, and keeps the calling thread, which is not inside, away from it until resume().
  static void pause() {
    // A handler may have interrupted its thread in the library's midst. The memory thread may wait
    // for what the library then holds. If it does not come to rest for so long, it is taken to
    // wait.
    begin_pause(Clients::may_be_in_library() ? kStuckAfterNs : kForEver);
  }
  // False: it has not come to rest within some `patience_ns`, and is not paused.
  static bool try_pause(uint64_t patience_ns) {
    if (begin_pause(patience_ns)) return true;
    resume();
    return false;
  }
  // Waits until what was handed over before is done, and the memory thread has found nothing else.
  // The wait also ends when some `patience_ns` are over, or where there is no memory thread. It
  // ends too where the caller keeps the memory thread at rest, as a handler does that has
  // interrupted a pause.
  static void await_idle(uint64_t patience_ns) {
    // One of them may have begun before. Acquire, and release in serve(): what it did is seen.
    const uint32_t before = idle_rounds_.load(std::memory_order_acquire);
    parker_.wake();
    const auto is_idle = [=] {
      return idle_rounds_.load(std::memory_order_acquire) - before >= 2 || own_pauses_ != 0 ||
             !is_at_work();
    };
    wait_until(is_idle, patience_ns);
  }
  // The calling thread's rights, which are no longer those of all, are the memory thread's before
  // this returns; or soon.
  static void hand_over_rights(const sys::SystemCall& made) {
    handover_.hand_over(made, [] { parker_.wake(); });
  }
  static void follow_class_of_caller() { handover_.follow_class_of_caller(); }
  static void resume() {
    const sys::SignalsBlocked blocked;
    LockTrace::resume();
    pause_.fetch_sub(1, std::memory_order_release);
    --own_pauses_;
  }
  // The fork's own pauses, `ended` of them, are over. Any others belong to calls that a handler
  // interrupted before it forked; those calls go on in the child.
  static void after_fork_in_child(uint32_t ended) {
    adopt_process();
    own_pauses_ -= ended;
    pause_.store(own_pauses_, std::memory_order_relaxed);
    is_paused_.store(false, std::memory_order_relaxed);
    parker_.reset_in_child();
    role_.reset_in_child();
    thread_.reset_in_child();
    handover_.reset_in_child();
    volume_.store(0, std::memory_order_relaxed);
    LockTrace::reset_in_child(ended);
  }

 private:
  static constexpr uint32_t kRoundsALook = 64;  // at the clock
  static constexpr uint64_t kStuckAfterNs = 200 * sys::kNanosAMilli;

  // False: it is still at work after some `patience_ns`.
  static bool begin_pause(uint64_t patience_ns) {
    count_pause();
    parker_.wake();
    const auto rests = [] {
      return is_paused_.load(std::memory_order_seq_cst) || !is_at_work() || LockTrace::is_awaited();
    };
    return wait_until(rests, patience_ns);
  }

  // A handler that forked between the two counts would leave its child with one too many.
  static void count_pause() {
    const sys::SignalsBlocked blocked;
    ++own_pauses_;
    LockTrace::pause();
    pause_.fetch_add(1, std::memory_order_seq_cst);
  }

  static void serve(void*) {
    Clients::enter_for_good();
    LongWait::is_server = true;
    sys::leave_real_time();
    handover_.open();
    // The kernel may start a thread on the CPU of the thread that starts it.
    if (starter_cpu_ >= 0) sys::leave_cpu(static_cast<unsigned>(starter_cpu_));
    sync::Ladder ladder;
    ladder.set_limits({2'000'000, 20'000, 1'000'000, 20'000'000});
    role_.running();
    stay_paused();
    look();
    sys::sleep_ns(backend::options.starve * sys::kNanosAMilli);
    ladder.worked(thread_.now_ns());
    for (uint32_t rounds = 0;; ++rounds) {
      if (MMT_UNLIKELY(pause_.load(std::memory_order_acquire) != 0)) stay_paused();
      if (rounds % kRoundsALook == 0) LongWait::make_way();
      if (handover_.is_asked()) handover_.answer();
      if (look()) {
        ladder.worked(thread_.now_ns());
        thread_.note_work();
        continue;
      }
      // One writer; release: see await_idle().
      idle_rounds_.store(idle_rounds_.load(std::memory_order_relaxed) + 1,
                         std::memory_order_release);
      if (rounds % kRoundsALook != 0) {
        core::cpu_relax();
      } else {
        sync::rest(ladder, parker_, thread_.now_ns(), park);
        if (MMT_UNLIKELY(is_last_)) return role_.end();
      }
    }
  }
  static bool look() {
    return Clients::serve_all([](auto& client) { return client.serve(); });
  }
  static void park() {
    const auto stays = [] {
      if (look() || handover_.is_asked() || pause_.load(std::memory_order_relaxed) != 0)
        return true;
      is_last_ = thread_.is_last();
      return is_last_;
    };
    sync::park(parker_, sync::kForever, 10'000'000, stays, thread_.sleep);
  }
  static bool is_starting() { return role_.state() == role_.kStarting; }
  static bool is_at_work() { return role_.is_running() || is_starting(); }
  // Whoever asks for a pause sees that there is none any more, or is seen.
  static void stay_paused() {
    do {
      is_paused_.store(true, std::memory_order_seq_cst);
      while (pause_.load(std::memory_order_acquire) != 0) sys::sleep_ns(50'000);
      is_paused_.store(false, std::memory_order_seq_cst);
    } while (pause_.load(std::memory_order_seq_cst) != 0);
  }

  static inline thread_local uint32_t own_pauses_ = 0;
  static inline constinit sync::Parker<> parker_{};
  static inline constinit sync::ServerRole<> role_{};
  static inline constinit heaps::ProcessServer thread_{};
  static inline constinit sys::RightsHandover handover_{};
  static inline bool is_last_ = false;  // the memory thread's
  static inline int starter_cpu_ = -1;
  static inline uint32_t home_ = 0;                          // process
  static inline constinit std::atomic<uint64_t> volume_{0};  // relaxed: a number by itself
  // Acquire by the thread, release by the thread that ends a pause: the first sees what was done
  // meanwhile.
  static inline constinit std::atomic<uint32_t> pause_{0};
  static inline constinit std::atomic<bool> is_paused_{false};
  static inline constinit std::atomic<uint32_t> idle_rounds_{0};
};

}  // namespace mmt::protocols
