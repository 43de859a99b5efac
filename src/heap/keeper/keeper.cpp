#include "heap/keeper/keeper.h"

#include <unistd.h>

#include <algorithm>

#include <mmt/sync/rest.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/cpus.h>
#include <mmt/sys/file.h>
#include <mmt/sys/thread.h>

#include "heap/keeper/following.h"
#include "heap/keeper/keeper_steps.h"
#include "heap/keeper/pace.h"
#include "heap/keeper/rights.h"
#include "heap/object/heap.h"
#include "heap/pages/page_hooks.h"
#include "sys/message.h"

namespace mmt::heap {
namespace {

using sys::kNanosAMilli;

// Without the barrier a wake-up can be missed; the work then waits this long at most.
constexpr int64_t kUncertainParkNs = 100 * kNanosAMilli;
// Growth that wakes it from a sleep before which nothing lay ready.
constexpr size_t kTellingGrowth = size_t{1} << 20;

// It looks again soon while it finds work; a thread that uses up what lies ready wakes it.
struct Serving {
  using Steps = ServingSteps;
  static constexpr Duty kDuty = Duty::kServe;
  // How late free memory is noticed while other free memory ages.
  static constexpr int64_t kLongestNapNs = Purger::kExcessIntervalNs;
  static constexpr int64_t kUnsureParkNs = kUncertainParkNs;
};

// Nobody waits for this duty, and each wake-up of its thread takes the CPU from the program. While
// memory ages the thread sleeps through what clients tell it. Once no memory is left that ages,
// clients wake the thread.
struct KeepingHouse {
  using Steps = HouseSteps;
  static constexpr Duty kDuty = Duty::kKeepHouse;
  static constexpr int64_t kLongestNapNs = 1000 * kNanosAMilli;
  static constexpr int64_t kUnsureParkNs = kLongestNapNs;
};

class Keeper {
 public:
  explicit Keeper(Heap& heap) : heap_(heap), round_(heap), steps_(round_), follower_(heap) {}

  void run(const Orders& orders);

 private:
  void open(const Orders& orders);
  bool goes_on_with(Duty duty);
  bool leaves() const { return follower_.is_dismissed() || round_.must_leave(); }
  template <class Manner>
  void keep();
  template <class Manner>
  void rest(uint64_t now);
  template <class Manner>
  void nap(int64_t ns);
  template <class Manner>
  void park(uint64_t now);
  void set_watermarks();

  Heap& heap_;
  KeeperRound round_;
  ServingSteps::Made<KeeperRound> steps_;
  Pace pace_;
  bool parked_ = false;  // it has just slept without limit
  Follower follower_;
};

// Half of what lies ready is left for the time it takes to wake up.
void Keeper::set_watermarks() {
  const bool may = pace_.may_be_woken();
  const size_t frontier = size_t{heap_.depot.region().frontier()} << store::kSlotShift;
  const size_t ready = std::max(heap_.depot.prepared().through(), frontier);
  const bool is_idle = pace_.is_idle(sys::monotonic_ns());
  const size_t growth = ready != frontier ? (ready - frontier) / 2 : is_idle ? kTellingGrowth : 0;
  heap_.watermarks.set(may && growth != 0 ? frontier + growth : Watermarks::kNone, may);
}

// The marks are set once it is seen to nap: a thread that passes one before would find it awake.
template <class Manner>
void Keeper::nap(int64_t ns) {
  heap_.server_counters.naps.add();
  heap_.parker.nap(ns, [this](auto& state, uint32_t napping, int64_t most) {
    if (Manner::kDuty == Duty::kServe) set_watermarks();
    follower_.sleep()(state, napping, most);
  });
  pace_.woke(sys::monotonic_ns());
}

// Until somebody uses the heap.
template <class Manner>
void Keeper::park(uint64_t now) {
  const auto stays = [this, now] {
    if (Manner::Steps::wait(steps_, now) >= 0 || leaves() || follower_.is_left()) return true;
    heap_.server_counters.parks.add();
    return false;
  };
  const int64_t most = follower_.longest_sleep(sync::kForever);
  const int64_t unsure = follower_.longest_sleep(Manner::kUnsureParkNs);
  const sync::Parked parked = sync::park(heap_.parker, most, unsure, stays, follower_.sleep());
  if (parked == sync::Parked::kStayedAwake) return pace_.worked(now);
  parked_ = true;
  follower_.look_soon();
  const uint64_t after = sys::monotonic_ns();
  pace_.woke(after);
  if (parked == sync::Parked::kNotWoken) return;
  // A wake-up means use, also where no channel tells of it. A thread that woke the memory thread
  // may do so again at once, and pays for it each time: a thread without a client, say.
  pace_.worked(after);
  steps_.get<Sweep>().note_use(after);
  if (Manner::kDuty == Duty::kKeepHouse) nap<Manner>(Pace::kNapNs);
}

template <class Manner>
void Keeper::rest(uint64_t now) {
  constexpr bool kServes = Manner::kDuty == Duty::kServe;
  if (kServes && !pace_.is_idle(now)) {
    if (!steps_.get<Drain>().is_amid()) nap<Manner>(Pace::kNapNs);
    return;
  }
  steps_.get<Observe>().look(now);
  if (follower_.is_left()) return;
  // What it is told while memory ages can wait for that, but for what passes a watermark.
  // Where no pages go, a house that is kept is only to tell the program of excess, now and then.
  const bool only_tells = !kServes && pages_stay(heap_);
  const int64_t wait = only_tells ? Manner::kLongestNapNs : Manner::Steps::wait(steps_, now);
  if (wait == 0) return pace_.worked(now);
  // Nor is it woken from a sleep that began without a wake-up to spare.
  if (kServes && !pace_.may_be_woken()) return nap<Manner>(2 * Pace::kNapNs);
  wait > 0 ? nap<Manner>(std::clamp(wait, Pace::kNapNs, Manner::kLongestNapNs)) : park<Manner>(now);
}

template <class Manner>
void Keeper::keep() {
  while (goes_on_with(Manner::kDuty)) {
    round_.worked = false;
    Manner::Steps::run(steps_, sys::monotonic_ns(), round_.worked);
    const uint64_t now = sys::monotonic_ns();
    if (round_.worked) {
      heap_.server_counters.rounds.add();
      if (parked_) heap_.server_counters.wakes.add();
      pace_.worked(now);
      follower_.note_work();
    }
    parked_ = false;
    rest<Manner>(now);
  }
}

// Told once: not again by the next memory thread, nor by a child's. A standard error that is full
// must not keep the memory thread.
constinit bool told_of_cpu = false;

void bind_as_asked(const Options& options) {
  if (options.cpu < 0 || sys::bind_to_cpu(static_cast<unsigned>(options.cpu))) return;
  if (options.quiet || told_of_cpu || !sys::can_write(STDERR_FILENO)) return;
  told_of_cpu = true;
  sys::Message line;
  line.text("mmt: the memory thread cannot be bound to CPU ");
  line.number(static_cast<uint64_t>(options.cpu)).text(" (option 'cpu'); it runs on any").print();
}

bool Keeper::goes_on_with(Duty duty) {
  follower_.look(sys::monotonic_ns());
  return !leaves() && follower_.duty() == duty;
}

void Keeper::open(const Orders& orders) {
  const uint32_t self = sys::current_thread_id();
  round_.self = self;
  // Relaxed: it is a number, by which nothing else is found.
  heap_.server_thread.store(self, std::memory_order_relaxed);
  const Options& options = heap_.options;
  // A niceness that takes rights comes first.
  if (options.niceness < 0) follow_program(heap_, self, nullptr);
  const bool is_filtered = !heap_.keeper.thread.give_up_rights();
  sys::set_thread_name("mmt");
  bind_as_asked(options);
  round_.clients.open(self);
  follower_.open(orders, self, is_filtered);
  round_.may_open_files = follower_.may_open_files();
  round_.online_cpus = round_.may_open_files ? sys::online_cpus() : 1;
  follower_.look(sys::monotonic_ns());
  steps_.get<Purge>().open(options.decay_ms * kNanosAMilli);
  steps_.get<Sweep>().open(options.decay_ms * kNanosAMilli);
  const uint64_t now = sys::monotonic_ns();
  pace_.woke(now);
  pace_.worked(now);
}

void Keeper::run(const Orders& orders) {
  open(orders);
  while (!leaves()) {
    if (follower_.duty() == Duty::kServe) {
      heap_.server.running();
      keep<Serving>();
      continue;
    }
    heap_.server.keep_house();
    heap_.watermarks.clear();
    // What it has left in the channels as it served, or another before it, and ended threads'
    // clients.
    round_.clients.serve_all(ClientService::Look::kLast);
    keep<KeepingHouse>();
  }
}

}  // namespace

void run_keeper(Heap& heap, const Orders& orders) {
  Keeper keeper(heap);
  keeper.run(orders);
}

}  // namespace mmt::heap
