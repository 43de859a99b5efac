#include "agnostic/beside/handlers.h"

#include <signal.h>

#include <atomic>
#include <cerrno>

#include <mmt/core/compiler.h>

#include "abi/next.h"

namespace mmt::agnostic {

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

// The next definition's answer, as each of these names has its own meaning.
Handler* forward(Handler* (**cached)(int, Handler*), const char* name, int number,
                 Handler* handler) {
  note(number, handler);
  auto* function = abi::next_function(cached, name);
  if (function != nullptr) return function(number, handler);
  errno = ENOSYS;
  return SIG_ERR;
}

}  // namespace

bool has_handlers() { return is_installed.load(std::memory_order_seq_cst); }

}  // namespace mmt::agnostic

namespace p = mmt::agnostic;

#define MMT_SIGACTION_NAME(name)                                                              \
  MMT_EXPORT int name(int number, const struct sigaction* action, struct sigaction* before) { \
    if (action != nullptr) p::note(number, action->sa_handler);                               \
    static int (*cached)(int, const struct sigaction*, struct sigaction*);                    \
    auto* function = mmt::abi::next_function(&cached, #name);                                 \
    if (function != nullptr) return function(number, action, before);                         \
    errno = ENOSYS;                                                                           \
    return -1;                                                                                \
  }
MMT_SIGACTION_NAME(sigaction)
extern "C" int __sigaction(int, const struct sigaction*, struct sigaction*);
MMT_SIGACTION_NAME(__sigaction)

#define MMT_SIGNAL_NAME(name)                                    \
  MMT_EXPORT p::Handler* name(int number, p::Handler* handler) { \
    static p::Handler* (*cached)(int, p::Handler*);              \
    return p::forward(&cached, #name, number, handler);          \
  }
MMT_SIGNAL_NAME(signal)
MMT_SIGNAL_NAME(bsd_signal)
MMT_SIGNAL_NAME(ssignal)
MMT_SIGNAL_NAME(sysv_signal)
MMT_SIGNAL_NAME(__sysv_signal)
MMT_SIGNAL_NAME(sigset)
