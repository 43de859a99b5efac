#include "harden/fault_signals.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>

#include <mmt/core/compiler.h>
#include <mmt/core/kept_errno.h>
#include <mmt/sync/try_lock.h>
#include <mmt/sys/syscall.h>
#include <mmt/sys/thread.h>

#include "harden/memory_fault.h"
#include "harden/process_end.h"
#include "harden/turn.h"
#include "names/forward.h"

namespace mmt::harden {
namespace {

using names::forward;
using Action = struct sigaction;
using Handler = void(int);

// Ours come first, and the program's own handlers behind them.
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
// Ours stand where the program wants the default, which ends the process.
constexpr int kEnding[] = {SIGHUP,    SIGINT,  SIGQUIT, SIGTRAP,   SIGUSR1, SIGUSR2,
                           SIGPIPE,   SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU, SIGXFSZ,
                           SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,    SIGSYS};

constexpr bool is_in(std::span<const int> numbers, int number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}
bool is_fault(int number) { return is_in(kFaults, number); }
constinit bool are_ending_watched = false;
bool is_watched(int number) {
  return is_fault(number) || (are_ending_watched && is_in(kEnding, number));
}

// What the program believes is installed for a fault, under the lock.
Action believed[SIGSYS + 1];
constinit sync::TryLock<> in_turn{};

constexpr uint64_t bit_of(int number) { return uint64_t{1} << (number - 1); }

// The calling thread's mask of signals as it was before.
uint64_t mask_changed(int how, uint64_t bits) {
  uint64_t before = 0;
  sys::raw_syscall(SYS_rt_sigprocmask, how, sys::pointer_argument(&bits),
                   sys::pointer_argument(&before), sizeof before);
  return before;
}

bool is_function(const Action& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

int install(int number, const Action* action, Action* before) {
  return forward<int, "sigaction">(number, action, before);
}

void install_default(int number) {
  Action by_default{};
  by_default.sa_handler = SIG_DFL;
  install(number, &by_default, nullptr);
}

void on_fault(int number, siginfo_t* info, void* context);

// Ours, so that what the program wants happens behind it.
Action ours_for(const Action& wanted) {
  Action ours{};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (is_function(wanted)) {
    ours.sa_flags = SA_SIGINFO | (wanted.sa_flags & (SA_ONSTACK | SA_NODEFER | SA_RESTART));
    ours.sa_mask = wanted.sa_mask;
  }
  return ours;
}

bool is_ours(int number) {
  Action now{};
  return install(number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
         now.sa_sigaction == on_fault;
}

// What the program wants now; for a handler that is to be called once, for the last time.
Action take_wanted(int number) {
  const Turn turn(in_turn);
  const Action wanted = believed[number];
  if (is_function(wanted) && (static_cast<unsigned>(wanted.sa_flags) & SA_RESETHAND) != 0)
    believed[number].sa_handler = SIG_DFL;
  return wanted;
}

// The signal as if we were not there: by the default action, as soon as the handler returns.
void let_happen(int number, const siginfo_t* info) {
  install_default(number);
  // A fault of the CPU's happens again by itself.
  if (info->si_code <= 0 || number == SIGABRT || !is_fault(number))
    sys::raw_syscall(SYS_tgkill, sys::current_process_id(), sys::current_thread_id(), number);
}

void on_fault(int number, siginfo_t* info, void* context) {
  const core::KeptErrno kept;
  const bool is_of_memory = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0;
  if (is_of_memory && tell_of_memory_fault(*info, context)) return;
  const Action wanted = take_wanted(number);
  if (is_function(wanted)) {
    if ((wanted.sa_flags & SA_SIGINFO) != 0)
      wanted.sa_sigaction(number, info, context);
    else
      wanted.sa_handler(number);
    return;
  }
  look_at_last();
  let_happen(number, info);
}

// A child of vfork has signals of its own, and its parent's memory.
bool is_in_vfork() { return !sys::is_quiet() && !is_own_process(); }

// What the program wants is what the kernel has, but for the default, whose place is ours.
int change_ending(int number, const Action* action, Action* before) {
  const bool is_default = action != nullptr && action->sa_handler == SIG_DFL;
  const Action ours = ours_for({});
  Action was{};
  if (install(number, is_default ? &ours : action, &was) != 0) return -1;
  if (was.sa_sigaction == on_fault) was = {};
  if (before != nullptr) *before = was;
  return 0;
}

int change_in_vfork(int number, const Action* action, Action* before) {
  Action was{};
  const bool had_ours = is_ours(number);
  if (install(number, action, &was) != 0) return -1;
  if (before != nullptr) *before = had_ours ? believed[number] : was;
  return 0;
}

int change(int number, const Action* action, Action* before) {
  if (!is_watched(number)) return install(number, action, before);
  if (!is_fault(number)) return change_ending(number, action, before);
  if (is_in_vfork()) return change_in_vfork(number, action, before);
  const Turn turn(in_turn);
  if (!is_ours(number)) {
    // Inherited, and ignored; or installed past libc.
    const int result = install(number, action, before);
    if (result != 0 || action == nullptr || !is_function(*action)) return result;
    believed[number] = *action;
    const Action ours = ours_for(*action);
    return install(number, &ours, nullptr);
  }
  const Action now = believed[number];
  if (action != nullptr) {
    const bool is_ignored = action->sa_handler == SIG_IGN;
    const Action next = is_ignored ? *action : ours_for(*action);
    if (install(number, &next, nullptr) != 0) return -1;
    believed[number] = *action;
  }
  if (before != nullptr) *before = now;
  return 0;
}

Handler* change_handler(int number, Handler* handler, int flags) {
  Action action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  if ((flags & SA_RESTART) != 0) sigaddset(&action.sa_mask, number);
  Action before{};
  return change(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

void watch(std::span<const int> numbers) {
  for (const int number : numbers) {
    Action now{};
    if (install(number, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    believed[number] = now;
    const Action ours = ours_for(now);
    install(number, &ours, nullptr);
  }
}

}  // namespace

bool can_handle_faults() {
  if (!is_ours(SIGSEGV) || (mask_changed(SIG_BLOCK, 0) & bit_of(SIGSEGV)) != 0) return false;
  // An alternate stack may have room for the program's handler alone.
  stack_t own{};
  sys::raw_syscall(SYS_sigaltstack, 0, sys::pointer_argument(&own));
  return (own.ss_flags & SS_ONSTACK) == 0;
}

void handle_no_more(int number) {
  if (is_ours(number) && !is_function(believed[number])) install_default(number);
}

void free_signals_in_child() { in_turn.reset_in_child(); }

void watch_fault_signals() { watch(kFaults); }

void watch_ending_signals() {
  are_ending_watched = true;
  watch(kEnding);
}

}  // namespace mmt::harden

namespace p = mmt::harden;
using mmt::names::forward;

#define MMT_SIGACTION_NAME(name)                                                              \
  MMT_EXPORT int name(int number, const struct sigaction* action, struct sigaction* before) { \
    return p::change(number, action, before);                                                 \
  }
MMT_SIGACTION_NAME(sigaction)
extern "C" int __sigaction(int, const struct sigaction*, struct sigaction*);
MMT_SIGACTION_NAME(__sigaction)

// Each has flags of its own.
#define MMT_SIGNAL_NAME(name, flags)                             \
  MMT_EXPORT p::Handler* name(int number, p::Handler* handler) { \
    if (!p::is_watched(number) || handler == SIG_HOLD)           \
      return forward<p::Handler*, #name>(number, handler);       \
    return p::change_handler(number, handler, flags);            \
  }
MMT_SIGNAL_NAME(signal, SA_RESTART)
MMT_SIGNAL_NAME(bsd_signal, SA_RESTART)
MMT_SIGNAL_NAME(ssignal, SA_RESTART)
MMT_SIGNAL_NAME(sysv_signal, static_cast<int>(SA_RESETHAND | SA_NODEFER))
MMT_SIGNAL_NAME(__sysv_signal, static_cast<int>(SA_RESETHAND | SA_NODEFER))

// As X/Open has it: SIG_HOLD blocks the signal, any other handler lets it in, and the result tells
// whether it was held.
MMT_EXPORT p::Handler* sigset(int number, p::Handler* handler) {
  if (!p::is_watched(number)) return forward<p::Handler*, "sigset">(number, handler);
  struct sigaction before {};
  if (p::change(number, nullptr, &before) != 0) return SIG_ERR;
  if (handler != SIG_HOLD && p::change_handler(number, handler, 0) == SIG_ERR) return SIG_ERR;
  const int how = handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK;
  const uint64_t held = p::mask_changed(how, p::bit_of(number));
  return (held & p::bit_of(number)) != 0 ? SIG_HOLD : before.sa_handler;
}
