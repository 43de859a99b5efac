#include "offload/server.h"

#include <unistd.h>

#include <algorithm>

#include <mmt/sys/clock.h>
#include <mmt/sys/cpus.h>
#include <mmt/sys/file.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "offload/client_service.h"
#include "offload/crowding.h"
#include "offload/depot_guard.h"
#include "offload/following.h"
#include "offload/leave.h"
#include "offload/message.h"
#include "offload/pace.h"
#include "offload/page_hooks.h"
#include "offload/prefaulter.h"
#include "offload/purger.h"
#include "offload/rights.h"
#include "offload/runtime.h"
#include "offload/server_thread.h"
#include "offload/sweeper.h"
#include "offload/thread_state.h"

namespace mmt::offload {
namespace {

using sys::kNanosAMilli;

// When to ask again whether somebody wants to look at the heap.
constexpr uint64_t kNoObserverNs = 100 * kNanosAMilli;
// Without the barrier a wake-up can be missed; the work then waits this long at most.
constexpr int64_t kUncertainParkNs = 100 * kNanosAMilli;
// How late free memory is noticed while other free memory ages: while it serves, and while it
// keeps house.
constexpr int64_t kAgeingNapNs = Purger::kExcessIntervalNs;
constexpr int64_t kLongestNapNs = 1000 * kNanosAMilli;
// Between two looks at the channels. Each look takes the clients' lines away from them.
constexpr uint64_t kLookIntervalNs = 3000;
// Between two pieces of surplus, at most.
constexpr uint64_t kMostPatienceNs = 200'000;
// Growth that wakes it from such a sleep.
constexpr size_t kTellingGrowth = size_t{1} << 20;

class Server {
 public:
  explicit Server(Heap& heap)
      : heap_(heap),
        clients_(heap),
        purger_(heap),
        sweeper_(heap),
        prefaulter_(heap),
        follower_(heap) {}

  void run(const Orders& orders);

 private:
  void open(const Orders& orders);
  void follow_now();
  bool goes_on_with(Duty duty);
  bool leaves() const { return follower_.is_dismissed() || told_to_leave(self_); }
  void serve_all();
  void keep_house();
  int64_t memory_wait(uint64_t now);
  bool drain();
  bool prefault();
  void rest(uint64_t now);
  void nap(int64_t ns);
  void park(uint64_t now);
  void set_watermarks();
  void observe(uint64_t now);

  Heap& heap_;
  uint32_t self_ = 0;  // its identity for the lock: it has no thread-local state
  Pace pace_;
  ClientService clients_;
  Crowding crowding_;
  unsigned online_cpus_ = 0;
  Purger purger_;
  Sweeper sweeper_;
  Prefaulter prefaulter_;
  uint64_t next_look_ = 0;    // of the observer
  bool parked_ = false;       // it has just slept without limit
  bool is_draining_ = false;  // more comes
  Follower follower_;
};

// Of two waits, of which negative ones are without limit.
int64_t sooner(int64_t a, int64_t b) {
  if (a < 0 || b < 0) return std::max(a, b);
  return std::min(a, b);
}

// How long free memory lets it sleep: 0 where some waits to be collected, negative without limit.
// Under the lock, for the last look before a sleep: what another holder has just collected is seen
// as free memory, and not overlooked in between.
int64_t Server::memory_wait(uint64_t now) {
  const native::Depot& depot = heap_.depot;
  int64_t wait;
  {
    const DepotStep lock(heap_, self_);
    const bool waiting = has_resting(heap_) || depot.has_returned_large();
    wait = waiting ? 0 : purger_.wait_ns(now);
  }
  return sooner(wait, sweeper_.wait_ns(now));
}

// For as long as surplus comes, and no longer than a nap: the rest has its turn. It waits for more
// no longer than it worked, and not while that takes a CPU from the program.
bool Server::drain() {
  const uint64_t start = sys::monotonic_ns();
  const uint64_t end = start + Pace::kNapNs;
  if (crowding_.is_look_due(start) && follower_.may_open_files())
    crowding_.looked(start, sys::runnable_threads(), online_cpus_);
  const uint64_t cpu_before = sys::thread_cpu_ns();
  uint64_t now = start;
  uint64_t patience = 0;
  bool worked = false;
  while (now < end && !told_to_leave(self_)) {
    const uint64_t before = now;
    bool found = clients_.serve_all();
    found |= clients_.collect_returned();
    worked |= found;
    if (found) {
      now = sys::monotonic_ns();
      patience = std::min(patience + now - before, kMostPatienceNs);
      continue;
    }
    // Relaxed: a manner, not an order.
    if (heap_.holders.load(std::memory_order_relaxed) >= heap_.cpus) break;
    if (patience < kLookIntervalNs || sys::is_clock_coarse()) break;
    patience -= kLookIntervalNs;
    while (now < before + kLookIntervalNs) {
      core::cpu_relax();
      now = sys::monotonic_ns();
    }
  }
  is_draining_ = now >= end;
  if (worked) crowding_.worked(now, now - start, sys::thread_cpu_ns() - cpu_before);
  heap_.watermarks.refuse_surplus(crowding_.stands_back(now));
  return worked;
}

// All that pays now, in one go: who prepares too little is woken the sooner.
bool Server::prefault() {
  bool worked = false;
  while (!told_to_leave(self_) && prefaulter_.step(sys::monotonic_ns())) worked = true;
  return worked;
}

// Half of what lies ready is left for the time it takes to wake up.
void Server::set_watermarks() {
  const bool may = pace_.may_be_woken();
  const size_t frontier = size_t{heap_.depot.region().frontier()} << native::kSlotShift;
  const size_t ready = std::max(heap_.depot.prepared_through(), frontier);
  const bool is_idle = pace_.is_idle(sys::monotonic_ns());
  const size_t growth = ready != frontier ? (ready - frontier) / 2 : is_idle ? kTellingGrowth : 0;
  heap_.watermarks.set(may && growth != 0 ? frontier + growth : Watermarks::kNone, may);
}

// The marks are set once it is seen to nap: who passes one before would find it awake.
void Server::nap(int64_t ns) {
  heap_.server_counters.naps.add();
  heap_.parker.nap(ns, [this](auto& state, uint32_t napping, int64_t most) {
    set_watermarks();
    follower_.sleep()(state, napping, most);
  });
  pace_.woke(sys::monotonic_ns());
}

// Until somebody uses the heap.
void Server::park(uint64_t now) {
  const bool certain = heap_.parker.begin_park();
  const bool worked = clients_.serve_all(ClientService::Look::kLast);
  if (worked || memory_wait(now) >= 0 || told_to_leave(self_) || follower_.is_left()) {
    heap_.parker.cancel_park();
    if (worked) pace_.worked(now);
    return;
  }
  heap_.server_counters.parks.add();
  parked_ = true;
  const int64_t most = follower_.longest_sleep(certain ? sync::kForever : kUncertainParkNs);
  const bool woken = heap_.parker.commit_park(most, follower_.sleep());
  follower_.look_soon();
  const uint64_t after = sys::monotonic_ns();
  pace_.woke(after);
  if (!woken) return;
  // What wakes it is use, also where no channel tells of it. Who woke it may do so again at once,
  // and pays for it each time: a thread without a client, say.
  pace_.worked(after);
  sweeper_.note_use(after);
}

void Server::rest(uint64_t now) {
  if (is_draining_) return;
  if (!pace_.is_idle(now) || clients_.is_waiting()) return nap(Pace::kNapNs);
  observe(now);
  if (follower_.is_left()) return;
  // What it is told while memory ages can wait for that, but for what passes a watermark.
  const int64_t wait = memory_wait(now);
  if (wait == 0) return pace_.worked(now);
  // Nor is it woken from a sleep that began without a wake-up to spare.
  if (!pace_.may_be_woken()) return nap(2 * Pace::kNapNs);
  wait > 0 ? nap(std::clamp(wait, Pace::kNapNs, kAgeingNapNs)) : park(now);
}

void Server::observe(uint64_t now) {
  const Observer observer = heap_.observer.load(std::memory_order_acquire);
  next_look_ = observer == nullptr ? now + kNoObserverNs : observer(heap_, self_, now, true);
}

// Told once: not again by the next memory thread, nor by a child's. A standard error that is full
// must not keep the memory thread.
constinit bool told_of_cpu = false;

void bind_as_asked(const Options& options) {
  if (options.cpu < 0 || sys::bind_to_cpu(static_cast<unsigned>(options.cpu))) return;
  if (options.quiet || told_of_cpu || !sys::can_write(STDERR_FILENO)) return;
  told_of_cpu = true;
  Message line;
  line.text("mmt: the memory thread cannot be bound to CPU ");
  line.number(static_cast<uint64_t>(options.cpu)).text(" (option 'cpu'); it runs on any").print();
}

void Server::follow_now() { follower_.look(sys::monotonic_ns()); }

bool Server::goes_on_with(Duty duty) {
  follow_now();
  return !leaves() && follower_.duty() == duty;
}

void Server::open(const Orders& orders) {
  self_ = sys::current_thread_id();
  // Relaxed: a number, by which nothing else is found.
  heap_.server_thread.store(self_, std::memory_order_relaxed);
  const Options& options = heap_.options;
  // A niceness that takes rights comes first.
  if (options.niceness < 0) follow_program(heap_, self_, nullptr);
  const bool is_filtered = !give_up_rights();
  sys::set_thread_name("mmt");
  bind_as_asked(options);
  clients_.open(self_);
  follower_.open(orders, self_, is_filtered);
  online_cpus_ = follower_.may_open_files() ? sys::online_cpus() : 1;
  follow_now();
  purger_.open(options.decay_ms * kNanosAMilli, self_);
  sweeper_.open(options.decay_ms * kNanosAMilli, self_);
  const uint64_t now = sys::monotonic_ns();
  pace_.woke(now);
  pace_.worked(now);
}

void Server::serve_all() {
  heap_.server.running();
  while (goes_on_with(Duty::kServe)) {
    bool worked = drain();
    worked |= prefault();
    const uint64_t now = sys::monotonic_ns();
    if (clients_.were_used() || worked) sweeper_.note_use(now);
    worked |= sweeper_.run(now);
    while (!told_to_leave(self_) && purger_.run(now)) worked = true;
    if (now >= next_look_) observe(now);
    if (worked) {
      heap_.server_counters.rounds.add();
      if (parked_) heap_.server_counters.wakes.add();
      pace_.worked(now);
      follower_.note_work();
    }
    parked_ = false;
    rest(now);
  }
}

// Nobody waits for it, and each of its wake-ups takes the CPU from the program: while memory ages
// it sleeps through what clients tell it, and once none is left they wake it.
void Server::keep_house() {
  heap_.server.keep_house();
  heap_.watermarks.clear();
  // What a serving thread before it left in the channels, and ended threads' clients.
  clients_.serve_all(ClientService::Look::kLast);
  while (goes_on_with(Duty::kKeepHouse)) {
    clients_.collect_returned();
    const uint64_t now = sys::monotonic_ns();
    const bool swept = sweeper_.run(now);
    if (purger_.run(now) || swept) continue;
    if (now >= next_look_) observe(now);
    if (follower_.is_left()) continue;
    const int64_t wait =
        pages_stay(heap_) ? kLongestNapNs : sooner(purger_.wait_ns(now), sweeper_.wait_ns(now));
    if (wait >= 0) {
      heap_.server_counters.naps.add();
      heap_.parker.nap(std::clamp(wait, Pace::kNapNs, kLongestNapNs), follower_.sleep());
      continue;
    }
    const bool certain = heap_.parker.begin_park();
    if (memory_wait(now) >= 0 || told_to_leave(self_) || follower_.is_left()) {
      heap_.parker.cancel_park();
      continue;
    }
    observe(now);
    heap_.server_counters.parks.add();
    const int64_t most = follower_.longest_sleep(certain ? sync::kForever : kLongestNapNs);
    if (heap_.parker.commit_park(most, follower_.sleep())) {
      sweeper_.note_use(sys::monotonic_ns());
      // Whoever uses the heap would wake it again at once.
      heap_.parker.nap(Pace::kNapNs, follower_.sleep());
    }
    follower_.look_soon();
  }
}

void Server::run(const Orders& orders) {
  open(orders);
  while (!leaves()) follower_.duty() == Duty::kServe ? serve_all() : keep_house();
}

}  // namespace

void run_server(Heap& heap, const Orders& orders) {
  Server server(heap);
  server.run(orders);
}

void count_volume(Heap& heap, size_t bytes) {
  if (!heap.server_running()) note_direct_volume(heap, bytes);
  heap.spans_fetched.fetch_add(bytes, std::memory_order_relaxed);
  start_server_if_due(heap);
}

uint64_t fetched_volume(Heap& heap) { return heap.spans_fetched.load(std::memory_order_relaxed); }

void count_freed(Heap& heap, size_t bytes) {
  if (MMT_LIKELY(heap.server_running())) return;
  note_direct_volume(heap, bytes);
  if (heap.server.state() != heap.server.kNotStarted) return;
  heap.freed_unserved.fetch_add(bytes, std::memory_order_relaxed);
  start_server_if_due(heap);
}

void reset_server_in_child(Heap& heap) {
  heap.server.reset_in_child();
  heap.server_thread.store(0, std::memory_order_relaxed);
  heap.spans_fetched.store(0, std::memory_order_relaxed);
  heap.freed_unserved.store(0, std::memory_order_relaxed);
  heap.depot.forget_prepared();
  heap.parker.reset_in_child();
  reset_server_thread_in_child(heap);
}

bool purge_all(Heap& heap) {
  const sys::SignalsBlocked blocked;
  if (is_amid_depot_step(heap, thread_id())) return false;
  Purger purger(heap);
  purger.open(0, thread_id(), discard_for_watchers());
  return purger.purge_everything();
}

}  // namespace mmt::offload
