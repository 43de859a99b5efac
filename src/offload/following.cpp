#include "offload/following.h"

#include <mmt/sys/clock.h>
#include <mmt/sys/limits.h>
#include <mmt/sys/scheduling.h>
#include <mmt/sys/thread.h>

#include "offload/runtime.h"
#include "offload/server_thread.h"

namespace mmt::offload {
namespace {

// With so few left, others like this process may soon have used them up.
constexpr unsigned kTasksNearTheLimit = 1024;

// How often it looks at what may have changed by other ways than libc's calls.
constexpr uint64_t kLookNs = 250 * sys::kNanosAMilli;
// At tasks, for which files must be read; and how long it sleeps at most where few are left.
constexpr uint64_t kGroupsNs = 1000 * sys::kNanosAMilli;

bool asked_to_serve() { return runtime.options.server == Switch::kOn; }

void add_cpus_of_clients(sys::CpuSet& cpus) {
  const uint32_t count = runtime.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    const Client* client = runtime.clients.at(i);
    if (client == nullptr || client->life.state() != client->life.kLive) continue;
    const uint32_t thread = client->thread.load(std::memory_order_relaxed);
    sys::CpuSet more;
    if (thread != 0 && more.read(thread)) cpus |= more;
  }
}

unsigned follow_cpus(uint32_t main, uint32_t thread) {
  constexpr unsigned kUnknown = 2;  // a machine with more CPUs than a set has
  sys::CpuSet wanted;
  sys::CpuSet now;
  if (!wanted.read(main) || !now.read(thread)) return kUnknown;
  if (wanted.count() == 1) add_cpus_of_clients(wanted);
  if (runtime.options.cpu < 0 && wanted != now) wanted.apply(thread);
  return wanted.count();
}

}  // namespace

Following follow_program(uint32_t thread) {
  // A process is called by its first thread's id.
  const uint32_t main = sys::current_process_id();
  const auto niceness = static_cast<int32_t>(runtime.options.niceness);
  const bool possible = sys::follow_class(main, thread, niceness);
  return {possible, follow_cpus(main, thread)};
}

bool limits_forbid() {
  return !asked_to_serve() && (sys::is_cpu_time_limited() || sys::are_tasks_limited());
}

GroupLimit limit_of_groups() {
  if (asked_to_serve()) return {};
  const unsigned left = sys::cgroup_tasks_left();
  return {left < sys::kTasksForTheProgram, left != sys::kNoTaskLimit, left < kTasksNearTheLimit};
}

void Follower::open(const Orders& orders, uint32_t self) {
  *this = Follower{};
  self_ = self;
  most_ = orders.most;
  // Files are opened out of the program's sight, or not at all.
  watches_groups_ = orders.watches_groups && sys::leave_open_files();
}

bool Follower::look(uint64_t now) {
  if (!is_asked_to_look() && now < next_look_) return false;
  next_look_ = now + kLookNs;
  const Following program = follow_program(self_);
  cpus_ = program.cpus;
  is_dismissed_ = !program.possible || limits_forbid();
  if (!is_dismissed_ && watches_groups_ && now >= next_groups_) look_at_groups(now);
  if (is_dismissed_) postpone_server();
  duty_ = cpus_ < 2 && !asked_to_serve() ? Duty::kKeepHouse : most_;
  return true;
}

void Follower::look_at_groups(uint64_t now) {
  next_groups_ = now + kGroupsNs;
  const GroupLimit limit = limit_of_groups();
  is_near_limit_ = limit.is_near;
  is_dismissed_ = limit.forbids;
}

int64_t Follower::longest_sleep(int64_t wait) {
  constexpr auto kMost = static_cast<int64_t>(kGroupsNs);
  if (is_near_limit_ && (wait < 0 || wait > kMost)) wait = kMost;
  return main_looks_.longest_sleep(wait);
}

bool Follower::is_left() {
  is_left_ = sys::main_thread_has_ended();
  if (is_left_) postpone_server();
  return is_left_;
}

}  // namespace mmt::offload
