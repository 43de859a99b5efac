#include "offload/server_thread.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>

#include <mmt/sys/clock.h>
#include <mmt/sys/cpus.h>
#include <mmt/sys/forced_signals.h>
#include <mmt/sys/scheduling.h>
#include <mmt/sys/thread.h>

#include "offload/following.h"
#include "offload/message.h"
#include "offload/rights.h"
#include "offload/runtime.h"
#include "offload/server.h"

namespace mmt::offload {
namespace {

using sys::kNanosAMilli;

// Far beyond what any step of the memory thread takes. Who waits in vain goes on: the thread leaves
// as soon as it can.
constexpr uint64_t kLeaveLimitNs = 5000 * kNanosAMilli;
// For the kernel's share in the end of a thread that has left.
constexpr uint64_t kLastStepsNs = 10 * kNanosAMilli;

constinit sys::RawThread thread{};
// Id of the thread that is to leave. Naming it, a request that comes late does not reach the next.
constinit std::atomic<uint32_t> leaving{0};
constinit std::atomic<uint32_t> home_process{0};  // 0: the library has not been loaded yet
// See start_no_server(). Relaxed: who sees one late starts a thread that would have been refused.
constinit std::atomic<bool> no_more{false};
constinit std::atomic<bool> no_more_in_children{false};

// No thread is started before so many bytes have been fetched. Relaxed: who sees one late starts a
// thread that leaves again.
constinit std::atomic<uint64_t> postponed_to{0};
// Where the last attempt did not suit the system: how much later the next is made.
constexpr uint64_t kPostponedBytes = uint64_t{256} << 20;

constinit std::atomic<bool> asked_to_look{false};

// By the starter, for the thread.
constinit Orders orders{};

void thread_main(void* served) {
  auto& heap = *static_cast<Heap*>(served);
  run_server(heap, orders);
  leaving.store(0, std::memory_order_relaxed);
  heap.server_thread.store(0, std::memory_order_relaxed);
  heap.server.end();
}

bool stays_away(Heap& heap) {
  if (no_more.load(std::memory_order_relaxed)) return true;
  if (heap.options.server == Switch::kOn) return false;
  // When it gives memory back depends on time.
  return heap.repeatable || heap.options.server == Switch::kOff;
}

bool has_quota_for_two(Heap& heap) {
  if (heap.options.server == Switch::kOn) return true;
  const unsigned quota = sys::cgroup_quota_percent();
  return quota == 0 || quota >= 200;
}

// By which it is decided whether one is due. Who only frees, as a fork's child may, wants its
// memory given back; of others what they fetch is more.
uint64_t volume(Heap& heap) {
  return std::max(fetched_volume(heap), heap.freed_unserved.load(std::memory_order_relaxed));
}

void report_failure(Heap& heap, long error) {
  if (heap.options.quiet) return;
  Message line;
  line.text("mmt: the memory thread cannot be started (error ")
      .number(static_cast<uint64_t>(error));
  line.text("); memory is managed on the program's own threads").print();
}

void put_off(Heap& heap) {
  postpone_server(heap);
  heap.server.end();
}

void start_server(Heap& heap) {
  if (!heap.server.claim_start()) return;
  if (stays_away(heap) || sys::are_calls_trapped()) return heap.server.stay_away();
  if (!thread.wait_end(thread.id(), kLastStepsNs)) return heap.server.end();  // try again later
  if (limits_forbid(heap)) return put_off(heap);
  const GroupLimit tasks = limit_of_groups(heap);
  if (tasks.forbids) return put_off(heap);
  orders = {has_quota_for_two(heap) ? Duty::kServe : Duty::kKeepHouse, tasks.exists};
  note_all_kept();
  const long result = thread.start(thread_main, &heap);
  if (result == 0) return;
  if (result == -EAGAIN) return put_off(heap);  // a limit on tasks, which is the program's to meet
  report_failure(heap, -result);
  heap.server.fail();
}

}  // namespace

bool at_home() {
  const uint32_t home = home_process.load(std::memory_order_relaxed);
  return home == 0 || home == sys::current_process_id();
}

void start_no_server(Heap& heap, bool forks_too) {
  no_more.store(true, std::memory_order_relaxed);
  if (forks_too) no_more_in_children.store(true, std::memory_order_relaxed);
  if (heap.server.claim_start()) heap.server.stay_away();
}

void start_server_early(Heap& heap) {
  if (open_runtime(heap) && at_home()) start_server(heap);
}

void start_server_if_due(Heap& heap) {
  if (heap.server.state() != heap.server.kNotStarted) return;
  // Once one has ended by itself, to ask more might kill.
  if (no_more.load(std::memory_order_relaxed) && heap.server.claim_start())
    return heap.server.stay_away();
  const uint64_t moved = volume(heap);
  if (moved >= heap.options.start_bytes && moved >= postponed_to.load(std::memory_order_relaxed) &&
      !rights_forbid_start(moved) && at_home())
    start_server(heap);
}

void postpone_server(Heap& heap) {
  const uint64_t moved = volume(heap);
  heap.freed_unserved.store(moved, std::memory_order_relaxed);
  postponed_to.store(moved + kPostponedBytes, std::memory_order_relaxed);
}

void reconsider_server(Heap& heap) {
  const uint32_t id = thread.id();
  // Where a filter might kill for what must be asked, the thread, which is under none, asks itself.
  if (id != 0 && !sys::is_quiet() && at_home()) {
    follow_program(heap, id, nullptr);
    if (limits_forbid(heap)) {
      postpone_server(heap);
      stop_server(heap);
      return;
    }
  }
  if (id == 0) return postponed_to.store(0, std::memory_order_relaxed);
  // Also where it was just about to do what was right before.
  ask_server_to_look();
  heap.parker.wake();
}

void ask_server_to_look() { asked_to_look.store(true, std::memory_order_relaxed); }

bool is_asked_to_look() {
  return asked_to_look.load(std::memory_order_relaxed) &&
         asked_to_look.exchange(false, std::memory_order_relaxed);
}

void lend_priority_to_server(Heap& heap) {
  const uint32_t id = heap.server_thread.load(std::memory_order_relaxed);
  if (id == 0 || !heap.depot.lock().held_by(id) || sys::is_quiet()) return;
  if (sys::lend_real_time(id)) ask_server_to_look();
}

uint32_t stop_server(Heap& heap) {
  const uint32_t id = thread.id();
  if (id == 0 || !at_home()) return 0;
  const uint64_t limit = sys::coarse_ns() + kLeaveLimitNs;
  do {
    // Said again now and then, since a late request for an earlier thread may replace this one.
    leaving.store(id, std::memory_order_relaxed);
    // Either the thread finds the request before it parks, or it is woken: see sync/parker.h. A nap
    // that begins at this moment ends by itself.
    heap.parker.wake();
  } while (!thread.wait_end(id, 10 * kNanosAMilli) && sys::coarse_ns() < limit);
  return id;
}

bool told_to_leave(uint32_t thread_id) {
  return leaving.load(std::memory_order_relaxed) == thread_id;
}

void adopt_process() {
  const uint32_t process = sys::current_process_id();
  home_process.store(process, std::memory_order_relaxed);
  sys::watch_main_thread(process);
}

void reset_server_thread_in_child(Heap& heap) {
  thread.reset_in_child();
  leaving.store(0, std::memory_order_relaxed);
  postponed_to.store(0, std::memory_order_relaxed);
  asked_to_look.store(false, std::memory_order_relaxed);
  reset_rights_in_child();
  no_more.store(false, std::memory_order_relaxed);
  // Where none is ever started it does not matter whose the heap is, and to ask might kill.
  if (no_more_in_children.load(std::memory_order_relaxed))
    start_no_server(heap, true);
  else
    adopt_process();
}

}  // namespace mmt::offload
