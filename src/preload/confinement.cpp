// Calls that confine the program: to other name spaces, or to few system calls. The memory thread
// must not be the reason why they fail, and must not fail because of them.
#include <dlfcn.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>

#include <mmt/sys/clock.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

#include "abi/forward.h"
#include "offload/server_thread.h"

namespace {

namespace offload = mmt::offload;
using mmt::abi::forward;

// What the kernel refuses to a process of several threads.
constexpr int kAlone = CLONE_NEWUSER | CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;

// The kernel counts a thread for a moment after it has ended, longer where CPUs are short.
constexpr uint64_t kCountedNs = 100 * mmt::sys::kNanosAMilli;

// The call, as if the thread that has just ended had never been.
template <class Call>
int call_alone(Call&& call) {
  const uint64_t until = mmt::sys::monotonic_ns() + kCountedNs;
  for (;;) {
    const int result = call();
    if (result == 0 || errno != EINVAL || mmt::sys::monotonic_ns() > until) return result;
    mmt::sys::yield();
  }
}

// After a change of the name space of processes, a process starts no more threads.
template <class Call>
int change_name_space(bool alone, bool of_processes, Call&& call) {
  const bool ended = alone && offload::stop_server();
  const int result = ended ? call_alone(call) : call();
  if (result == 0 && of_processes && offload::at_home()) offload::start_no_server(false);
  offload::start_server_if_due();
  return result;
}

// A filter may kill the process at a call that it does not know. So the memory thread is started
// before or ended, and none is started afterwards.
enum class Server { kStarted, kEnded };

template <class Call>
auto confine(Server server, Call&& call) {
  const bool at_home = offload::at_home();
  if (server == Server::kEnded)
    offload::stop_server();
  else
    offload::start_server_early();
  const auto result = call();
  if (result < 0 || !at_home) return result;
  offload::start_no_server(true);
  mmt::sys::stop_yielding();
  return result;
}

// In the strict mode a thread can but end itself: the memory thread would be left alone.
Server server_under(bool strict, bool all_threads) {
  return strict || all_threads ? Server::kEnded : Server::kStarted;
}

// Where the kernel is called, without a look at what it is called for: until we know of others.
long call_kernel(long number, long a, long b, long c, long d, long e, long f) {
  const long result = mmt::sys::raw_syscall(number, a, b, c, d, e, f);
  if (result >= 0 || result <= -4096) return result;
  errno = static_cast<int>(-result);
  return -1;
}

int (*next_prctl)(int, long, long, long, long);

}  // namespace

extern "C" {

// The names are those that the assembly below knows.
[[gnu::visibility("hidden")]] decltype(&call_kernel) mmt_next_syscall = call_kernel;

[[gnu::visibility("hidden")]] long mmt_seccomp(long number, long operation, long flags, long data) {
  const auto call = [=] { return mmt_next_syscall(number, operation, flags, data, 0, 0, 0); };
  const auto bits = static_cast<unsigned long>(flags);
  const bool strict = operation == SECCOMP_SET_MODE_STRICT;
  if (!strict && operation != SECCOMP_SET_MODE_FILTER) return call();
  return confine(server_under(strict, (bits & SECCOMP_FILTER_FLAG_TSYNC) != 0), call);
}
}

namespace {

// At once, since these two may be called in signal handlers, where dlsym must not.
__attribute__((constructor(101))) void find_next() {
  if (void* next = dlsym(RTLD_NEXT, "syscall"))
    mmt_next_syscall = reinterpret_cast<decltype(mmt_next_syscall)>(next);
  next_prctl = reinterpret_cast<decltype(next_prctl)>(dlsym(RTLD_NEXT, "prctl"));
}

}  // namespace

MMT_EXPORT int unshare(int flags) noexcept {
  return change_name_space((flags & kAlone) != 0, (flags & CLONE_NEWPID) != 0,
                           [=] { return forward<int, "unshare">(flags); });
}

// A descriptor alone does not tell of which kind its name space is.
MMT_EXPORT int setns(int descriptor, int kind) noexcept {
  return change_name_space(true, kind == 0 || (kind & CLONE_NEWPID) != 0,
                           [=] { return forward<int, "setns">(descriptor, kind); });
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
               : static_cast<int>(call_kernel(SYS_prctl, option, a[0], a[1], a[2], a[3], 0));
  };
  if (option != PR_SET_SECCOMP) return call();
  return confine(server_under(a[0] == SECCOMP_MODE_STRICT, false), call);
}

// Every other call goes on with its frame as it is: a call may return twice, or on another stack.
#if defined(__x86_64__)
static_assert(SYS_seccomp == 317);
MMT_EXPORT __attribute__((naked)) long syscall(long, ...) noexcept {
  asm("cmp $317, %rdi\n\t"
      "je mmt_seccomp\n\t"
      "jmp *mmt_next_syscall(%rip)");
}
#endif
