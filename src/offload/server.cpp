#include "offload/server.h"

#include <unistd.h>

#include <algorithm>

#include <mmt/sync/ladder.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/file.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "offload/client_service.h"
#include "offload/crowding.h"
#include "offload/depot_guard.h"
#include "offload/following.h"
#include "offload/message.h"
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
constexpr uint64_t kLookIntervalNs = 3000;
// The same where the program's threads keep all CPUs busy.
constexpr int64_t kFullHouseNapNs = 1000000;
// In place of a pause, by a clock that does not see so short a time pass.
constexpr int64_t kCoarseNapNs = 50000;
// Without the barrier a wake-up can be missed; the work then waits this long at most.
constexpr int64_t kUncertainParkNs = 100 * kNanosAMilli;
// While it keeps house: how late free memory is noticed while other free memory ages.
constexpr int64_t kLongestNapNs = 1000 * kNanosAMilli;

class Server {
 public:
  void run(const Orders& orders);

 private:
  void open(const Orders& orders);
  void follow_now();
  bool goes_on_with(Duty duty);
  bool leaves() const { return follower_.is_dismissed() || told_to_leave(self_); }
  void serve_all();
  void keep_house();
  int64_t memory_wait(uint64_t now);
  void rest(uint64_t now);
  void pause();
  void nap(int64_t ns);
  Crowding::Load load();
  void stand_back();
  void observe(uint64_t now);

  uint32_t self_ = 0;  // its identity for the lock: it has no thread-local state
  sync::Ladder ladder_;
  ClientService clients_;
  Crowding crowding_;
  Purger purger_;
  Sweeper sweeper_;
  Prefaulter prefaulter_;
  uint64_t next_look_ = 0;  // of the observer
  bool parked_ = false;     // it has just slept without limit
  Follower follower_;
};

constinit Server server;

// Of two waits, of which negative ones are without limit.
int64_t sooner(int64_t a, int64_t b) {
  if (a < 0 || b < 0) return std::max(a, b);
  return std::min(a, b);
}

// How long free memory lets it sleep: 0 where some waits to be collected, negative without limit.
// Under the lock, for the last look before a sleep: what another holder has just collected is seen
// as free memory, and not overlooked in between.
int64_t Server::memory_wait(uint64_t now) {
  const native::Depot& depot = runtime.depot;
  int64_t wait;
  {
    const DepotStep step(self_);
    const bool waiting = depot.has_returned() || depot.has_returned_large();
    wait = waiting ? 0 : purger_.wait_ns(now);
  }
  return sooner(wait, sweeper_.wait_ns(now));
}

// Between two looks at the channels. Each look takes the clients' lines away from them, and a
// client that publishes meanwhile has to fetch them back; what waits in a channel is no hurry.
void Server::pause() {
  if (crowding_.full_house()) {
    nap(kFullHouseNapNs);
    return;
  }
  if (sys::is_clock_coarse()) return nap(kCoarseNapNs);
  const uint64_t until = sys::monotonic_ns() + kLookIntervalNs;
  while (sys::monotonic_ns() < until) core::cpu_relax();
}

void Server::nap(int64_t ns) {
  runtime.server_counters.naps.add();
  runtime.parker.nap(ns, follower_.sleep());
  crowding_.restart();
}

void Server::rest(uint64_t now) {
  switch (ladder_.idle(now)) {
    case sync::Ladder::Step::kSpin:
      pause();
      return;
    case sync::Ladder::Step::kNap:
      nap(ladder_.nap_ns());
      return;
    case sync::Ladder::Step::kPark:
      break;
  }
  observe(now);
  const bool certain = runtime.parker.begin_park();
  const bool worked = clients_.serve_all(ClientService::Look::kLast);
  int64_t wait = worked ? 0 : memory_wait(now);
  if (wait == 0 || told_to_leave(self_) || follower_.is_left()) {
    runtime.parker.cancel_park();
    ladder_.worked(now);
    return;
  }
  if (!certain && (wait < 0 || wait > kUncertainParkNs)) wait = kUncertainParkNs;
  wait = follower_.longest_sleep(wait);
  runtime.server_counters.parks.add();
  parked_ = true;
  runtime.parker.commit_park(wait, follower_.sleep());
  follower_.look_soon();
  crowding_.restart();
  // Who woke it may do so again at once, and pays for it each time: a thread without a client, say.
  const uint64_t after = sys::monotonic_ns();
  // What wakes it from a sleep without limit is use, also where no channel tells of it.
  if (wait < 0) sweeper_.note_use(after);
  if (wait < 0 || after - now < static_cast<uint64_t>(wait)) ladder_.worked(after);
}

Crowding::Load Server::load() {
  uint32_t active = 0;
  const uint32_t count = runtime.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    Client* client = runtime.clients.at(i);
    if (client == nullptr) continue;
    const uint64_t work = client->counters.refills.get() + client->counters.flushes.get();
    active += work != client->work_seen;
    client->work_seen = work;
  }
  return {sys::thread_cpu_ns(), sys::thread_preemptions(), active};
}

// The program's threads serve themselves for a while. What they left in the channels is taken back
// first; what they publish meanwhile waits.
void Server::stand_back() {
  runtime.server.rest();
  clients_.serve_all();
  clients_.collect_returned();
  runtime.server_counters.rests.add();
  runtime.parker.nap(static_cast<int64_t>(crowding_.rest_ns()), follower_.sleep());
  runtime.server.running();
  const uint64_t now = sys::monotonic_ns();
  crowding_.returned(now);
  ladder_.worked(now);
}

void Server::observe(uint64_t now) {
  const Observer observer = runtime.observer.load(std::memory_order_acquire);
  next_look_ = observer == nullptr ? now + kNoObserverNs : observer(self_, now, true);
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

void Server::follow_now() {
  if (follower_.look(sys::monotonic_ns())) crowding_.set_cpus(follower_.cpus());
}

bool Server::goes_on_with(Duty duty) {
  follow_now();
  return !leaves() && follower_.duty() == duty;
}

void Server::open(const Orders& orders) {
  self_ = sys::current_thread_id();
  // Relaxed: a number, by which nothing else is found.
  runtime.server_thread.store(self_, std::memory_order_relaxed);
  const Options& options = runtime.options;
  // A niceness that takes rights comes first.
  if (options.niceness < 0) follow_program(self_, nullptr);
  const bool is_filtered = !give_up_rights();
  sys::set_thread_name("mmt");
  bind_as_asked(options);
  ladder_.set_limits({options.spin_us * 1000, 50 * 1000, kNanosAMilli,
                      options.park_ms * kNanosAMilli + options.spin_us * 1000});
  clients_.open(self_);
  follower_.open(orders, self_, is_filtered);
  follow_now();
  purger_.open(options.decay_ms * kNanosAMilli, self_);
  sweeper_.open(options.decay_ms * kNanosAMilli, self_);
  ladder_.worked(sys::monotonic_ns());
}

void Server::serve_all() {
  runtime.server.running();
  while (goes_on_with(Duty::kServe)) {
    bool worked = clients_.serve_all();
    worked |= clients_.collect_returned();
    const uint64_t now = sys::monotonic_ns();
    if (!worked) worked = prefaulter_.step(now);
    if (worked) sweeper_.note_use(now);
    worked |= sweeper_.run(now);
    worked |= purger_.run(now);
    if (now >= next_look_) observe(now);
    if (worked && crowding_.crowded(now, [this] { return load(); })) stand_back();
    if (worked) {
      runtime.server_counters.rounds.add();
      if (parked_) runtime.server_counters.wakes.add();
      parked_ = false;
      ladder_.worked(now);
      follower_.note_work();
      pause();
    } else {
      rest(now);
    }
  }
}

// Nobody waits for it, and each of its wake-ups takes the CPU from the program: while memory ages
// it sleeps through what clients tell it, and once none is left they wake it.
void Server::keep_house() {
  runtime.server.keep_house();
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
        pages_stay() ? kLongestNapNs : sooner(purger_.wait_ns(now), sweeper_.wait_ns(now));
    if (wait >= 0) {
      nap(std::min(wait, kLongestNapNs));
      continue;
    }
    const bool certain = runtime.parker.begin_park();
    if (memory_wait(now) >= 0 || told_to_leave(self_) || follower_.is_left()) {
      runtime.parker.cancel_park();
      continue;
    }
    observe(now);
    runtime.server_counters.parks.add();
    runtime.parker.commit_park(follower_.longest_sleep(certain ? sync::kForever : kLongestNapNs),
                               follower_.sleep());
    sweeper_.note_use(sys::monotonic_ns());
    follower_.look_soon();
  }
}

void Server::run(const Orders& orders) {
  open(orders);
  while (!leaves()) follower_.duty() == Duty::kServe ? serve_all() : keep_house();
}

}  // namespace

void run_server(Orders orders) { server.run(orders); }

void count_volume(size_t bytes) {
  if (!runtime.server_running()) note_direct_volume(bytes);
  runtime.spans_fetched.fetch_add(bytes, std::memory_order_relaxed);
  start_server_if_due();
}

uint64_t fetched_volume() { return runtime.spans_fetched.load(std::memory_order_relaxed); }

void count_freed(size_t bytes) {
  if (MMT_LIKELY(runtime.server_running())) return;
  note_direct_volume(bytes);
  if (runtime.server.state() != runtime.server.kNotStarted) return;
  runtime.freed_unserved.fetch_add(bytes, std::memory_order_relaxed);
  start_server_if_due();
}

void reset_server_in_child() {
  runtime.server.reset_in_child();
  runtime.server_thread.store(0, std::memory_order_relaxed);
  runtime.spans_fetched.store(0, std::memory_order_relaxed);
  runtime.freed_unserved.store(0, std::memory_order_relaxed);
  runtime.supplying.store(false, std::memory_order_relaxed);
  runtime.depot.forget_prepared();
  runtime.parker.reset_in_child();
  server = Server{};
  reset_server_thread_in_child();
}

bool purge_all() {
  const sys::SignalsBlocked blocked;
  if (is_amid_depot_step(thread_id())) return false;
  Purger purger;
  purger.open(0, thread_id(), discard_for_watchers());
  return purger.purge_everything();
}

}  // namespace mmt::offload
