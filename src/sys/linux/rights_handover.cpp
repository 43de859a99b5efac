#include <linux/capability.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cstring>

#include <mmt/sys/rights.h>
#include <mmt/sys/rights_handover.h>
#include <mmt/sys/scheduling.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

namespace mmt::sys {
namespace {

// Turns of give_way(): about five seconds, as on a busy machine the thread may be long in coming.
constexpr uint32_t kMostTurns = 50'000;
// By the last one what it maps for a program that has locked all counts against no limit, as there.
constexpr uint64_t kCarriedOver =
    uint64_t{1} << CAP_SETUID | uint64_t{1} << CAP_SETGID | uint64_t{1} << CAP_IPC_LOCK;

void follow_ordinary(const Scheduling& wanted, uint32_t thread) {
  if (!wanted.is_real_time() && !wanted.is_deadline()) follow_class(wanted, thread, 0);
}

// What `caller` did to itself, the thread does to itself. Landlock asks for a privilege, or that
// none can be had by an exec.
void repeat(const SystemCall& made, uint32_t caller) {
  const auto& a = made.arguments;
  if (made.number == SYS_landlock_restrict_self)
    raw_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (made.number != SYS_ioprio_set)
    raw_syscall(made.number, a[0], a[1], a[2], a[3], a[4], a[5]);
  else if (a[1] == 0 || a[1] == caller)
    raw_syscall(made.number, a[0], 0, a[2]);
}

bool differ(const uint32_t (&a)[4], const uint32_t (&b)[4], int count) {
  return memcmp(a, b, static_cast<size_t>(count) * sizeof a[0]) != 0;
}

}  // namespace

void RightsHandover::Identity::read() {
  constexpr long kNone = -1;  // no user: answers which one it is
  raw_syscall(SYS_getresuid, pointer_argument(users), pointer_argument(users + 1),
              pointer_argument(users + 2));
  raw_syscall(SYS_getresgid, pointer_argument(groups), pointer_argument(groups + 1),
              pointer_argument(groups + 2));
  users[3] = static_cast<uint32_t>(raw_syscall(SYS_setfsuid, kNone));
  groups[3] = static_cast<uint32_t>(raw_syscall(SYS_setfsgid, kNone));
  more_count = raw_syscall(SYS_getgroups, kMostGroups, pointer_argument(more));
}

// Groups come first: a thread that is root no more may not change them. Only those supplementary
// groups that both have are taken over, as other threads may not have got what the asker has.
void RightsHandover::Identity::take_over(const Identity& own) const {
  uint32_t both[kMostGroups];
  const auto is_own = [&](uint32_t group) {
    return std::find(own.more, own.more + std::max(own.more_count, 0l), group) !=
           own.more + std::max(own.more_count, 0l);
  };
  const auto count = std::copy_if(more, more + std::max(more_count, 0l), both, is_own) - both;
  if (count != own.more_count)
    raw_syscall(SYS_setgroups, static_cast<long>(count), pointer_argument(both));
  if (differ(own.groups, groups, 3)) raw_syscall(SYS_setresgid, groups[0], groups[1], groups[2]);
  raw_syscall(SYS_setfsgid, groups[3]);
  if (differ(own.users, users, 3)) raw_syscall(SYS_setresuid, users[0], users[1], users[2]);
  raw_syscall(SYS_setfsuid, users[3]);
}

void RightsHandover::expect() {
  process_.store(current_process_id(), std::memory_order_relaxed);
  thread_.store(kComing, std::memory_order_relaxed);
}

uint32_t RightsHandover::await_thread() const {
  uint32_t thread = thread_.load(std::memory_order_relaxed);
  if (thread == 0 || process_.load(std::memory_order_relaxed) != current_process_id()) return 0;
  // Its maker may have been interrupted by this caller.
  for (uint32_t turn = 0; thread == kComing && turn < kMostTurns; ++turn) {
    give_way(turn);
    thread = thread_.load(std::memory_order_relaxed);
  }
  return thread == kComing ? 0 : thread;
}

void RightsHandover::open() {
  if (is_filtered()) return close();
  give_up_capabilities(kCarriedOver);
  // What an earlier thread was asked for is not this one's, which has its starter's rights.
  uint32_t asked = kAsked;
  state_.compare_exchange_strong(asked, kIdle, std::memory_order_acq_rel);
  thread_.store(current_thread_id(), std::memory_order_relaxed);
}

void RightsHandover::answer() {
  Identity own{};
  own.read();
  use_all_capabilities();
  wanted_.take_over(own);
  if (made_.number != 0) repeat(made_, asker_);
  give_up_capabilities_as(asker_);
  // Changes of users make the process undumpable, which the caller's own may not have.
  if (is_dumpable_ && raw_syscall(SYS_prctl, PR_GET_DUMPABLE) != 1)
    raw_syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
  answered_.store(ticket_, std::memory_order_release);
  state_.store(kIdle, std::memory_order_release);
}

// The thread has left meanwhile, with what it had: the caller goes on when nobody sees it any more.
void RightsHandover::forget(uint32_t thread) {
  uint32_t asked = kAsked;
  state_.compare_exchange_strong(asked, kIdle, std::memory_order_acq_rel);
  wait_until_uncounted(thread);
}

bool RightsHandover::begin(const SystemCall& made, uint32_t* ticket) {
  uint32_t idle = kIdle;
  for (uint32_t turn = 0;
       !state_.compare_exchange_strong(idle, kWriting, std::memory_order_acquire); ++turn) {
    // The thread may have ended, or its asker have been interrupted by this caller.
    if (turn == kMostTurns) return false;
    idle = kIdle;
    give_way(turn);
  }
  asker_ = current_thread_id();
  is_dumpable_ = raw_syscall(SYS_prctl, PR_GET_DUMPABLE) == 1;
  wanted_.read();
  made_ = made;
  *ticket = ++ticket_;
  state_.store(kAsked, std::memory_order_release);
  return true;
}

void RightsHandover::finish(uint32_t thread, uint32_t ticket) {
  const auto is_answered = [&] {
    return static_cast<int32_t>(answered_.load(std::memory_order_acquire) - ticket) >= 0;
  };
  // One that does not come in time does as it is asked later, unless another asks before.
  for (uint32_t turn = 0; turn < kMostTurns && !is_answered(); ++turn) {
    if (thread_.load(std::memory_order_relaxed) != thread) return forget(thread);
    give_way(turn);
  }
}

// It never is a real-time thread.
void RightsHandover::follow(const RightsWatch& watch) const {
  watch.give_up_unseen();
  if (watch.has_weakest()) follow_ordinary(watch.weakest(), current_thread_id());
}

void RightsHandover::follow_class_of_caller() {
  const uint32_t thread = await_thread();
  if (thread == 0) return;
  Scheduling wanted{};
  Scheduling callers{};
  if (!wanted.read(current_process_id()) || !callers.read(0)) return;
  follow_ordinary(weaker_of(wanted, callers), thread);
}

void RightsHandover::reset_in_child() {
  thread_.store(0, std::memory_order_relaxed);
  state_.store(kIdle, std::memory_order_relaxed);
}

}  // namespace mmt::sys
