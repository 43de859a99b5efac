#include "heap/keeper/following.h"

#include <algorithm>

#include <mmt/sys/clock.h>
#include <mmt/sys/limits.h>
#include <mmt/sys/scheduling.h>
#include <mmt/sys/thread.h>

#include "heap/keeper/check_steps.h"
#include "heap/keeper/rights.h"
#include "heap/object/heap.h"
#include "heap/object/server_orders.h"

namespace mmt::heap {
namespace {

// With so few left, others like this process may soon have used them up.
constexpr unsigned kTasksNearTheLimit = 1024;

// How often it looks at what may have changed by other ways than libc's calls.
constexpr uint64_t kLookNs = 250 * sys::kNanosAMilli;
// At tasks, for which files must be read; and how long it sleeps at most where few are left.
constexpr uint64_t kGroupsNs = 1000 * sys::kNanosAMilli;

bool asked_to_serve(Heap& heap) { return heap.options.server == Switch::kOn; }

void add_cpus_of_clients(Heap& heap, sys::CpuSet& cpus) {
  const uint32_t count = heap.clients.count();
  for (uint32_t i = 0; i < count; ++i) {
    const Client* client = heap.clients.at(i);
    if (client == nullptr || client->lease.state() != client->lease.kLive) continue;
    const uint32_t thread = client->thread.load(std::memory_order_relaxed);
    sys::CpuSet more;
    if (thread != 0 && more.read(thread)) cpus |= more;
  }
}

unsigned follow_cpus(Heap& heap, uint32_t main, uint32_t thread) {
  constexpr unsigned kUnknown = 2;  // a machine with more CPUs than a set has
  sys::CpuSet wanted;
  sys::CpuSet now;
  if (!wanted.read(main) || !now.read(thread)) return kUnknown;
  if (wanted.count() == 1) add_cpus_of_clients(heap, wanted);
  if (heap.options.cpu < 0 && wanted != now) wanted.apply(thread);
  return wanted.count();
}

// Classes says how the program's main thread is scheduled, and how the weakest of all its known
// threads is. Threads are known by their clients, as the caller, and by what the memory thread has
// `seen`.
struct Classes {
  sys::Scheduling main;
  sys::Scheduling weakest;
};

bool read_classes(Heap& heap, uint32_t main, uint32_t thread, const sys::Scheduling* seen,
                  Classes& classes) {
  // Each costs a system call; the memory thread sees the others in their turn.
  constexpr uint32_t kMostClients = 64;
  if (!classes.main.read(main)) return false;
  classes.weakest = seen == nullptr ? classes.main : sys::weaker_of(classes.main, *seen);
  const auto add = [&](uint32_t one) {
    sys::Scheduling its;
    if (one != thread && its.read(one)) classes.weakest = sys::weaker_of(classes.weakest, its);
  };
  add(sys::current_thread_id());
  const uint32_t count = std::min(heap.clients.count(), kMostClients);
  for (uint32_t i = 0; i < count; ++i) {
    const Client* client = heap.clients.at(i);
    if (client == nullptr || client->lease.state() != client->lease.kLive) continue;
    const uint32_t one = client->thread.load(std::memory_order_relaxed);
    if (one != 0 && one != main) add(one);
  }
  return true;
}

}  // namespace

Following follow_program(Heap& heap, uint32_t thread, const sys::Scheduling* seen) {
  // A process is called by its first thread's id.
  const uint32_t main = sys::current_process_id();
  const auto niceness = static_cast<int32_t>(heap.options.niceness);
  Following following{follow_cpus(heap, main, thread)};
  Classes classes;
  if (!read_classes(heap, main, thread, seen, classes)) return following;
  following.is_weaker = classes.weakest != classes.main;
  const bool followed = sys::follow_class(classes.weakest, thread, niceness);
  following.is_possible = followed || !(classes.main.is_real_time() || classes.main.is_deadline());
  following.is_left_behind = !followed && niceness == 0;
  if (classes.main.is_deadline()) following.is_possible = false;
  return following;
}

bool limits_forbid(Heap& heap) {
  return !asked_to_serve(heap) && (sys::is_cpu_time_limited() || sys::are_tasks_limited());
}

GroupLimit limit_of_groups(Heap& heap) {
  if (asked_to_serve(heap)) return {};
  const unsigned left = sys::cgroup_tasks_left();
  return {left < sys::kTasksForTheProgram, left != sys::kNoTaskLimit, left < kTasksNearTheLimit};
}

void Follower::open(const Orders& orders, uint32_t self, bool is_filtered) {
  self_ = self;
  most_ = orders.most;
  // Files are opened out of the program's sight, or not at all.
  const bool has_own_files =
      (orders.watches_groups || !is_filtered) && sys::leave_open_files(kKeptFiles);
  watches_groups_ = orders.watches_groups && has_own_files;
  watches_rights_ = !is_filtered && has_own_files;
  if (watches_rights_) rights_.open(self, sys::current_process_id());
}

bool Follower::look(uint64_t now) {
  const bool is_due = is_asked_to_look(heap_) || now >= next_look_;
  if (watches_rights_ && !is_strange_) look_at_rights(now, is_due);
  if (!is_due) return false;
  next_look_ = now + kLookNs;
  const sys::Scheduling* const seen = rights_.has_weakest() ? &rights_.weakest() : nullptr;
  const Following program = follow_program(heap_, self_, seen);
  cpus_ = program.cpus;
  const bool is_forbidden = !program.is_possible || limits_forbid(heap_);
  if (!is_forbidden && watches_groups_ && now >= next_groups_) look_at_groups(now);
  is_dismissed_ = is_dismissed_ || is_forbidden;
  if (is_dismissed_) postpone_server(heap_);
  // Threads of the program's start it with a class that it cannot give itself.
  if (program.is_left_behind && !is_dismissed_) leave_for_rights(false);
  const bool is_weak = (cpus_ < 2 || program.is_weaker) && !asked_to_serve(heap_);
  duty_ = is_weak ? Duty::kKeepHouse : most_;
  return true;
}

void Follower::look_at_rights(uint64_t now, bool at_length) {
  const sys::Standing standing = rights_.look_if_due(now, at_length);
  if (standing != sys::Standing::kAlike) leave_for_rights(standing == sys::Standing::kDiffers);
}

void Follower::leave_for_rights(bool differing) {
  is_strange_ = true;
  note_left_for_rights(heap_, differing);
}

void Follower::look_at_groups(uint64_t now) {
  next_groups_ = now + kGroupsNs;
  const GroupLimit limit = limit_of_groups(heap_);
  is_near_limit_ = limit.is_near;
  is_dismissed_ = limit.forbids;
}

int64_t Follower::longest_sleep(int64_t wait) const {
  constexpr auto kMost = static_cast<int64_t>(kGroupsNs);
  return is_near_limit_ && (wait < 0 || wait > kMost) ? kMost : wait;
}

bool Follower::is_left() {
  is_left_ = sys::main_thread_has_ended();
  if (is_left_) postpone_server(heap_);
  return is_left_;
}

}  // namespace mmt::heap
