#pragma once
// This is a part of a source, which does not compile alone.
// Calls that confine the program: to other name spaces, or to few system calls. The background
// thread must not be the reason why they fail, and must not fail because of them. And libc's
// syscall() and prctl(), by which these and what scheduling.h and credentials.h have can be called
// too. Included once in a library, where mmt::confine::BackgroundThread has been defined
// (background_thread.h), and mmt::confine::SeenCalls (seen_calls.h).
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <span>

#include <mmt/sys/clock.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

#include "confine/background_thread.h"
#include "confine/seen_calls.h"
#include "names/forward.h"

namespace {

using mmt::confine::BackgroundThread;
using mmt::names::forward;

// These flags leave other threads where they are, and are allowed beside them. The kernel refuses
// all other flags to a process of several threads, or those threads would keep what the program has
// left.
constexpr int kBesides = CLONE_NEWPID | CLONE_SYSVSEM;

// The kernel counts a thread for a moment after it has ended, longer where CPUs are short.
constexpr uint64_t kCountedNs = 100 * mmt::sys::kNanosAMilli;

// The call, as if the thread that has just ended had never been.
template <class Call>
auto call_alone(Call&& call) {
  const uint64_t until = mmt::sys::coarse_ns() + kCountedNs;
  for (;;) {
    const auto result = call();
    if (result == 0 || errno != EINVAL || mmt::sys::coarse_ns() > until) return result;
    mmt::sys::yield();
  }
}

// After a change of the name space of processes, a process starts no more threads.
template <class Call>
auto change_name_space(bool alone, bool of_processes, Call&& call) {
  const bool ended = alone && BackgroundThread::stop();
  const auto result = ended ? call_alone(call) : call();
  if (result == 0 && of_processes && BackgroundThread::at_home())
    BackgroundThread::start_none(false);
  return result;
}

template <class Call>
auto unshare_with(int flags, Call&& call) {
  return change_name_space((flags & ~kBesides) != 0, (flags & CLONE_NEWPID) != 0, call);
}

// A descriptor alone does not tell of which kind its name space is.
template <class Call>
auto join_with(int kind, Call&& call) {
  return change_name_space(true, kind == 0 || (kind & CLONE_NEWPID) != 0, call);
}

// A table of descriptors of one's own: what is closed in it stays open in the others'.
template <class Call>
auto close_with(unsigned flags, Call&& call) {
  return (flags & CLOSE_RANGE_UNSHARE) == 0 ? call() : change_name_space(true, false, call);
}

// The calling thread gives up what it could do, or what an exec could give it.
template <class Call>
auto give_up_with(bool is_of_bounding_set, Call&& call) {
  const auto result = call();
  if (result >= 0) BackgroundThread::capabilities_changed(is_of_bounding_set);
  return result;
}

// The calling thread, and no other, acts for another user or group.
template <class Call>
auto change_one_with(Call&& call) {
  const auto result = call();
  if (result >= 0) BackgroundThread::identity_changed(false);
  return result;
}

// Or by rules that nobody can read of a thread.
template <class Call>
auto change_unreadable_with(const mmt::sys::SystemCall& made, Call&& call) {
  const auto result = call();
  if (result >= 0) BackgroundThread::unreadable_changed(made);
  return result;
}

bool gives_up(long option) {
  return option == PR_CAPBSET_DROP || option == PR_CAP_AMBIENT || option == PR_SET_NO_NEW_PRIVS ||
         option == PR_SET_SECUREBITS || option == PR_SET_KEEPCAPS;
}

// Also after a call that has failed: nice() may answer -1 to say which niceness there is now.
template <class Call>
auto reschedule_with(Call&& call) {
  const auto result = call();
  BackgroundThread::reconsider();
  return result;
}

// A filter may kill the process at a call that it does not know. So the background thread is
// started before or ended, and none is started afterwards.
enum class Server { kStarted, kEnded };

template <class Call>
auto confine(Server server, Call&& call) {
  const bool at_home = BackgroundThread::at_home();
  if (server == Server::kEnded)
    BackgroundThread::stop();
  else
    BackgroundThread::start_early();
  const auto result = call();
  if (result < 0 || !at_home) return result;
  BackgroundThread::start_none(true);
  mmt::sys::stop_yielding();
  return result;
}

// A thread in the strict mode can only end itself, and a filter may kill single threads. The
// background thread would then be left alone, and would keep the process.
bool kills_threads(const sock_fprog* filter) {
  constexpr uintptr_t kFirstPage = 4096;
  if (reinterpret_cast<uintptr_t>(filter) < kFirstPage) return false;  // the kernel refuses it
  if (reinterpret_cast<uintptr_t>(filter->filter) < kFirstPage) return false;
  for (unsigned i = 0; i < filter->len; ++i) {
    const sock_filter& step = filter->filter[i];
    if (BPF_CLASS(step.code) != BPF_RET) continue;
    if (BPF_RVAL(step.code) != BPF_K) return true;  // as it comes out
    if ((step.k & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_KILL_THREAD) return true;
  }
  return false;
}

Server server_under(long filter, bool all_threads) {
  return all_threads || kills_threads(reinterpret_cast<const sock_fprog*>(filter))
             ? Server::kEnded
             : Server::kStarted;
}

// Raw calls that the library must know of.
constexpr long kConfining[] = {SYS_seccomp, SYS_prctl,       SYS_unshare,
                               SYS_setns,   SYS_close_range, SYS_capset};
constexpr long kRescheduling[] = {SYS_setpriority,       SYS_sched_setparam, SYS_sched_setscheduler,
                                  SYS_sched_setaffinity, SYS_sched_setattr,  SYS_setrlimit,
                                  SYS_prlimit64};
constexpr long kChangingOne[] = {SYS_setuid,    SYS_setgid,    SYS_setreuid,
                                 SYS_setregid,  SYS_setresuid, SYS_setresgid,
                                 SYS_setgroups, SYS_setfsuid,  SYS_setfsgid};
constexpr long kUnreadable[] = {SYS_set_mempolicy, SYS_ioprio_set, SYS_keyctl,
                                SYS_landlock_restrict_self};

bool is_one_of(long number, std::span<const long> calls) {
  for (const long one : calls)
    if (number == one) return true;
  return false;
}

int (*next_prctl)(int, long, long, long, long);
int (*next_close_range)(unsigned, unsigned, int);

}  // namespace

extern "C" {

// The names are those that the assembly below knows.
// Where the kernel is called, without a look at what it is called for: until we know of others.
[[gnu::visibility("hidden")]] long mmt_call_kernel(long number, long a, long b, long c, long d,
                                                   long e, long f) {
  const long result = mmt::sys::raw_syscall(number, a, b, c, d, e, f);
  if (result >= 0 || result <= -4096) return result;
  if (!mmt::names::is_early()) errno = static_cast<int>(-result);
  return -1;
}
// nullptr: that. It is found as we are loaded, and no pointer that needs to be relocated.
[[gnu::visibility("hidden")]] constinit decltype(&mmt_call_kernel) mmt_next_syscall = nullptr;
}

namespace {
decltype(&mmt_call_kernel) next_syscall() {
  return mmt_next_syscall != nullptr ? mmt_next_syscall : mmt_call_kernel;
}
}  // namespace

extern "C" {

// Calls by libc's syscall() that the library must know of.
[[gnu::visibility("hidden")]] long mmt_seen_syscall(long number, long a, long b, long c, long d,
                                                    long e, long f) {
  const auto call = [=] { return next_syscall()(number, a, b, c, d, e, f); };
  const mmt::sys::SystemCall made{number, {a, b, c, d, e, f}};
  if (mmt::names::is_early()) return call();
  switch (number) {
    case SYS_seccomp: {
      if (a == SECCOMP_SET_MODE_STRICT) return confine(Server::kEnded, call);
      if (a != SECCOMP_SET_MODE_FILTER) return call();
      const auto flags = static_cast<unsigned long>(b);
      return confine(server_under(c, (flags & SECCOMP_FILTER_FLAG_TSYNC) != 0), call);
    }
    case SYS_prctl:
      if (gives_up(a)) return give_up_with(a == PR_CAPBSET_DROP, call);
      if (a != PR_SET_SECCOMP) return call();
      return confine(b == SECCOMP_MODE_STRICT ? Server::kEnded : server_under(c, false), call);
    case SYS_unshare:
      return unshare_with(static_cast<int>(a), call);
    case SYS_setns:
      return join_with(static_cast<int>(b), call);
    case SYS_close_range:
      return close_with(static_cast<unsigned>(c), call);
    case SYS_capset:
      return give_up_with(false, call);
    case SYS_keyctl:
      return a == KEYCTL_JOIN_SESSION_KEYRING ? change_unreadable_with(made, call) : call();
    default:
      break;
  }
  if (is_one_of(number, kChangingOne)) return change_one_with(call);
  if (is_one_of(number, kUnreadable)) return change_unreadable_with(made, call);
  if (is_one_of(number, kRescheduling)) return reschedule_with(call);
  mmt::confine::SeenCalls::note(made);
  return call();
}
}

namespace {

// At once, since these may be called in signal handlers, where dlsym must not.
__attribute__((constructor(101))) void find_next() {
  using mmt::names::next_definition;
  if (void* next = next_definition("syscall"))
    mmt_next_syscall = reinterpret_cast<decltype(mmt_next_syscall)>(next);
  next_prctl = reinterpret_cast<decltype(next_prctl)>(next_definition("prctl"));
  next_close_range = reinterpret_cast<decltype(next_close_range)>(next_definition("close_range"));
}

}  // namespace

MMT_EXPORT int unshare(int flags) noexcept {
  return unshare_with(flags, [=] { return forward<int, "unshare">(flags); });
}

MMT_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  const auto call = [=] {
    return next_close_range != nullptr
               ? next_close_range(first, last, flags)
               : static_cast<int>(mmt_call_kernel(SYS_close_range, first, last, flags, 0, 0, 0));
  };
  return close_with(static_cast<unsigned>(flags), call);
}

MMT_EXPORT int setns(int descriptor, int kind) noexcept {
  return join_with(kind, [=] { return forward<int, "setns">(descriptor, kind); });
}

// What the caller did not pass is passed on as it was found.
MMT_EXPORT int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  long a[4];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  const auto call = [&] {
    return next_prctl != nullptr
               ? next_prctl(option, a[0], a[1], a[2], a[3])
               : static_cast<int>(mmt_call_kernel(SYS_prctl, option, a[0], a[1], a[2], a[3], 0));
  };
  if (gives_up(option)) return give_up_with(option == PR_CAPBSET_DROP, call);
  if (option != PR_SET_SECCOMP) return call();
  return confine(a[0] == SECCOMP_MODE_STRICT ? Server::kEnded : server_under(a[1], false), call);
}

#if defined(__x86_64__)

namespace {

constexpr mmt::confine::CallSet seen_calls() {
  mmt::confine::CallSet set;
  for (const long number : kConfining) set.add(number);
  for (const long number : kRescheduling) set.add(number);
  for (const long number : kChangingOne) set.add(number);
  for (const long number : kUnreadable) set.add(number);
  for (const long number : mmt::confine::SeenCalls::kNumbers) set.add(number);
  return set;
}

}  // namespace

extern "C" {

[[gnu::visibility("hidden")]] extern constexpr mmt::confine::CallSet mmt_seen_calls = seen_calls();
}

// Every other call goes on with its frame as it is: a call may return twice, or on another stack.
static_assert(mmt::confine::kCallNumbers == 512);
// Under another name in C++: a compiler that does not optimize saves variable arguments, naked or
// not.
MMT_EXPORT long mmt_syscall_entry() noexcept __asm__("syscall");
MMT_EXPORT __attribute__((naked)) long mmt_syscall_entry() noexcept {
  asm("cmp $512, %rdi\n\t"
      "jae 1f\n\t"
      "bt %rdi, mmt_seen_calls(%rip)\n\t"
      "jc mmt_seen_syscall\n"
      "1:\n\t"
      "mov mmt_next_syscall(%rip), %rax\n\t"
      "test %rax, %rax\n\t"
      "jz mmt_call_kernel\n\t"
      "jmp *%rax");
}
#endif
