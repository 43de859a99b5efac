#include "beside/growth_thread.h"

#include <cstring>
#include <utility>

#include <mmt/sync/ladder.h>
#include <mmt/sync/rest.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/cpus.h>
#include <mmt/sys/file.h>
#include <mmt/sys/forced_signals.h>
#include <mmt/sys/limits.h>
#include <mmt/sys/rights.h>
#include <mmt/sys/scheduling.h>

#include "beside/break_parts.h"
#include "beside/resident.h"
#include "interprocess/protocol_options.h"

namespace mmt::beside {

using backend::options;

namespace {

// For a thread that has just started to give up its starter's rights, at most: some 10 ms.
constexpr uint32_t kSettlingTurns = 200;

// Without a block from the program for so long.
constexpr uint64_t kParkAfterNs = 2000 * sys::kNanosAMilli;
// Where a wake-up may be missed.
constexpr int64_t kParkLimitNs = 100 * static_cast<int64_t>(sys::kNanosAMilli);

// How often it looks at how the program is scheduled, and at limits.
constexpr uint64_t kFollowNs = 250 * sys::kNanosAMilli;

// As far as can be told without a look into control groups. One CPU is the program's.
bool is_bearable() {
  sys::CpuSet cpus;
  if (sys::main_thread_has_ended()) return false;  // it may be the program's last
  if (cpus.read(sys::current_process_id()) && cpus.count() == 1) return false;
  return !sys::is_cpu_time_limited() && !sys::are_tasks_limited();
}

// As the weakest of the program's threads that are known: the main thread, the caller, and what was
// seen of others. False: the main thread is a real-time one, and it cannot be one.
bool follow(uint32_t thread, const sys::Scheduling* seen) {
  const uint32_t main = sys::current_process_id();
  sys::CpuSet cpus;
  sys::CpuSet now;
  if (cpus.read(main) && now.read(thread) && cpus != now) cpus.apply(thread);
  sys::Scheduling wanted;
  sys::Scheduling callers;
  if (!wanted.read(main)) return true;
  const bool is_ordinary = !wanted.is_real_time() && !wanted.is_deadline();
  const bool is_deadline = wanted.is_deadline();
  if (seen != nullptr) wanted = sys::weaker_of(wanted, *seen);
  if (sys::current_thread_id() != thread && callers.read(0))
    wanted = sys::weaker_of(wanted, callers);
  return (sys::follow_class(wanted, thread, 0) || is_ordinary) && !is_deadline;
}

// Asked for, they would be small ones, all at once.
bool has_huge_pages() {
  char text[64] = {};
  if (sys::read_file("/sys/kernel/mm/transparent_hugepage/enabled", text, sizeof text - 1) < 0) {
    return false;
  }
  return std::strstr(text, "[never]") == nullptr;
}

}  // namespace

void GrowthThread::want(Growth::Ask ask, Left left) {
  left_.store(left, std::memory_order_relaxed);
  ask_.store(ask, std::memory_order_relaxed);
  start_if_due();
}

void GrowthThread::start_if_due() {
  if (ask_.load(std::memory_order_relaxed) == nullptr || thread_.stays_away() ||
      options.ahead == 0) {
    return;
  }
  if (!at_home() || stays_away_long() || is_starting_.exchange(true, std::memory_order_acquire))
    return;
  if (thread_.id() == 0 && is_bearable() && !sys::are_calls_trapped()) {
    has_settled_.store(false, std::memory_order_relaxed);
    if (thread_.start(main, this) == 0) await_settling();
  }
  is_starting_.store(false, std::memory_order_release);
}

// The kernel gives a thread what its starter has. The program goes on once it has given that up.
void GrowthThread::await_settling() const {
  for (uint32_t turn = 0; turn < kSettlingTurns && thread_.id() != 0; ++turn) {
    if (has_settled_.load(std::memory_order_relaxed)) return;
    sys::give_way(turn);
  }
}

void GrowthThread::reconsider() {
  // A filter might kill for what must be asked: the thread asks itself, some time later.
  if (sys::is_quiet() || !at_home()) return;
  const uint32_t id = thread_.id();
  if (id == 0) return start_if_due();
  // As after other changes: one that comes again and again keeps the thread away.
  if ((!is_bearable() || !follow(id, nullptr)) && stop()) absence_.note_end(sys::coarse_ns(), 0);
}

// Others can still see the rights of a thread that has run its last instruction.
bool GrowthThread::leave_for_change() {
  const uint32_t id = thread_.id();
  const bool is_ended = stop();
  if (sys::is_quiet() || !(is_ended || absence_.is_long()) || !at_home()) return false;
  if (is_ended) {
    sys::wait_until_uncounted(id);
    absence_.note_end(sys::coarse_ns(), 0);
  }
  return !stays_away_long();
}

bool GrowthThread::stays_away_long() const {
  return absence_.is_long() && absence_.holds_at(sys::coarse_ns());
}

bool GrowthThread::leave_for_identity(bool of_all) {
  // Another thread, which has more rights now, would give them to it.
  const bool may_come = leave_for_change();
  return may_come && (of_all || !sys::has_other_threads());
}

bool GrowthThread::leave_for_capabilities(bool of_bounding_set) {
  return thread_.has_more_than(of_bounding_set) && leave_for_change();
}

bool GrowthThread::stop() {
  return thread_.stop([this] { parker_.wake(); }) != 0;
}

void GrowthThread::adopt_process() {
  if (!thread_.has_home()) begin_break(end_of_break());
  thread_.adopt_process();
}

void GrowthThread::reset_in_child() {
  parker_.reset_in_child();
  growth_.forget();
  ask_.store(nullptr, std::memory_order_relaxed);
  is_starting_.store(false, std::memory_order_relaxed);
  absence_.reset_in_child();
  if (thread_.reset_in_child()) adopt_process();
}

bool GrowthThread::must_leave() const { return thread_.must_leave(thread_.id()); }

// Until the program allocates: the next block is noted, as it was asked for.
void GrowthThread::park(Growth::Ask ask) {
  const auto stays = [this, ask] {
    ask();
    return growth_.is_answered() || must_leave();
  };
  sync::park(parker_, sync::kForever, kParkLimitNs, stays, sleep_);
}

// One that came again at once might find the program's threads with different ones again.
void GrowthThread::leave_for(sys::Standing standing) {
  absence_.note_end(sys::coarse_ns(), 0);
  const Left left = left_.load(std::memory_order_relaxed);
  if (standing == sys::Standing::kChanged && left != nullptr && !stays_away_long()) left();
}

void GrowthThread::main(void* self) {
  sys::set_thread_name("mmt-growth");
  auto& mine = *static_cast<GrowthThread*>(self);
  const bool is_filtered = !mine.thread_.give_up_rights();
  mine.has_settled_.store(true, std::memory_order_relaxed);
  // What it opens now must be in nobody's way.
  const bool has_own_files = sys::leave_open_files();
  sys::RightsWatch rights;
  const bool looks = has_own_files && !is_filtered;
  if (looks) rights.open(sys::current_thread_id(), sys::current_process_id());
  if (has_own_files) {
    if (!sys::has_quota_for_two() || sys::cgroup_tasks_left() < sys::kTasksForTheProgram) return;
    mine.growth_.may_be_huge(has_huge_pages());
  }
  const Growth::Ask ask = mine.ask_.load(std::memory_order_relaxed);
  if (ask == nullptr) return;  // a handler has forked between the wish and the start, in the child
  sync::Ladder ladder;
  ladder.set_limits({200'000, 50'000, 100'000'000, UINT64_MAX});
  uint64_t last_answer = sys::monotonic_ns();
  uint64_t last_look = last_answer;  // at the clock
  ladder.worked(last_answer);
  uint64_t starve = options.starve * sys::kNanosAMilli;
  uint64_t next_look = 0;
  mine.sleep_.note_work();
  while (!mine.must_leave() && !sys::main_thread_has_ended()) {
    const bool is_due = last_look >= next_look;
    const sys::Standing standing =
        looks ? rights.look_if_due(last_look, is_due) : sys::Standing::kAlike;
    if (standing != sys::Standing::kAlike) return mine.leave_for(standing);
    if (is_due) {
      const sys::Scheduling* const seen = rights.has_weakest() ? &rights.weakest() : nullptr;
      if (!is_bearable() || !follow(mine.thread_.id(), seen)) return;
      next_look = last_look + kFollowNs;
    }
    const uint64_t nap = mine.growth_.step(ladder, ask);
    if (MMT_UNLIKELY(starve != 0)) sys::sleep_ns(std::exchange(starve, 0));
    if (nap == 0) {
      core::cpu_relax();
      continue;
    }
    mine.parker_.nap(static_cast<int64_t>(nap), mine.sleep_);
    const uint64_t now = last_look = sys::monotonic_ns();
    if (mine.growth_.is_answered()) {
      last_answer = now;
      mine.sleep_.note_work();
    }
    if (now - last_answer > kParkAfterNs) {
      mine.park(ask);
      next_look = 0;
    }
  }
}

}  // namespace mmt::beside
