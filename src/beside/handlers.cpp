#include "beside/handlers.h"

#include <signal.h>

#include <atomic>

#include <mmt/core/compiler.h>

#include "names/forward.h"

namespace mmt::beside {

void (*on_first_handler)() = nullptr;

namespace {

std::atomic<bool> is_installed{false};

using Handler = void(int);

bool is_fault(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
         number == SIGTRAP || number == SIGABRT;
}

void note(int number, Handler* handler) {
  if (has_handlers() || is_fault(number)) return;
  if (handler == SIG_DFL || handler == SIG_IGN || handler == SIG_ERR || handler == SIG_HOLD) return;
  is_installed.store(true, std::memory_order_seq_cst);
  if (on_first_handler != nullptr) on_first_handler();
}

}  // namespace

bool has_handlers() { return is_installed.load(std::memory_order_seq_cst); }

}  // namespace mmt::beside

namespace p = mmt::beside;
using mmt::names::forward;

// Each of these names has a meaning of its own.
#define MMT_SIGACTION_NAME(name)                                                              \
  MMT_EXPORT int name(int number, const struct sigaction* action, struct sigaction* before) { \
    if (action != nullptr) p::note(number, action->sa_handler);                               \
    return forward<int, #name>(number, action, before);                                       \
  }
MMT_SIGACTION_NAME(sigaction)
extern "C" int __sigaction(int, const struct sigaction*, struct sigaction*);
MMT_SIGACTION_NAME(__sigaction)

#define MMT_SIGNAL_NAME(name)                                    \
  MMT_EXPORT p::Handler* name(int number, p::Handler* handler) { \
    p::note(number, handler);                                    \
    return forward<p::Handler*, #name>(number, handler);         \
  }
MMT_SIGNAL_NAME(signal)
MMT_SIGNAL_NAME(bsd_signal)
MMT_SIGNAL_NAME(ssignal)
MMT_SIGNAL_NAME(sysv_signal)
MMT_SIGNAL_NAME(__sysv_signal)
MMT_SIGNAL_NAME(sigset)
