// Transactions whose doomed attempts may follow memory that is no longer theirs. Under kImmediate,
// or without safe privatization, a block that an attempt still reads may be another's, or gone. A
// fault in such an attempt ends it, is counted (Reason::kFault), and the body begins anew. Where
// all that the attempt read still holds, the fault is the program's. It is left to whoever handled
// the signal before. `validate_every` of the options ends walks without end besides.
//
// The body is left by a longjmp: what it had to destroy or release is lost. A loop that does not
// read through the transaction is not ended. What a doomed attempt does to other memory stays done.
// The first call takes the process's SIGSEGV and SIGBUS. Each thread gets an alternate signal stack
// where it has none. A transaction on another memory within the body is a recovering one, too.
#pragma once

#include <csetjmp>

#include <mmt/stm/atomically.h>
#include <mmt/stm/fault_handler.h>

namespace mmt::stm {

namespace detail {

struct RecoveringAttempt {
  template <class Body>
  MMT_NOINLINE bool operator()(Thread& thread, Tx& tx, Body& body,
                               Held<ResultOf<Body>>& result) const {
    Recovery recovery(thread);
    if (setjmp(recovery.place()) != 0) {
      recovery.recover();
      return false;
    }
    return Attempt()(thread, tx, body, result);
  }
};

}  // namespace detail

// As atomically().
template <class Body>
auto atomically_recovering(Thread& thread, Body&& body) {
  detail::catch_faults();
  return detail::run(thread, body, false, detail::RecoveringAttempt());
}

}  // namespace mmt::stm
