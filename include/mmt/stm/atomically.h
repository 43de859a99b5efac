// Runs a body as a transaction: what it read and wrote happened at one instant, or did not happen.
//
//   int sum = mmt::stm::atomically(thread, [&](mmt::stm::Tx& tx) {
//     tx.write(a, tx.read(a) - 1);
//     tx.write(b, tx.read(b) + 1);
//     return tx.read(a) + tx.read(b);
//   });
//
// The body may run several times; only the last time counts. An exception that leaves it undoes
// what it wrote, and goes on to the caller; one from moving the result finds it committed. Where
// there is no memory for its logs std::bad_alloc is thrown, in the body first. Within a body,
// `atomically` with the same thread is part of the transaction around it, on the same stack. On
// another memory it is a transaction of its own. All threads must nest memories in one order, as
// with locks, because a commit waits for the attempts that run. Hence a body must not wait for
// another commit on its memory. Only the calling thread uses `thread` meanwhile.
//
// A `longjmp` out of a body leaves its attempt running: commits of others wait, for ever. The
// thread's next `atomically` undoes it and throws std::logic_error. Called elsewhere in the same
// function, or from further down the stack, it cannot tell: there it is part of the transaction.
#pragma once

#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <mmt/core/compiler.h>
#include <mmt/stm/tx.h>

namespace mmt::stm {

namespace detail {

// In the place of what a body without a result returns.
struct Nothing {};

[[noreturn]] MMT_COLD inline void left_by_jump(Thread& thread) {
  thread.give_up(Reason::kException);
  throw std::logic_error("mmt::stm: a jump left the body of this thread's last transaction");
}

template <class Body>
using ResultOf = std::decay_t<std::invoke_result_t<Body&, Tx&>>;

template <class Result>
using Held = std::optional<std::conditional_t<std::is_void_v<Result>, Nothing, Result>>;

// One attempt, from its begin; what the body returns goes to `result`. False: it is doomed.
struct Attempt {
  template <class Body>
  MMT_ALWAYS_INLINE bool operator()(Thread& thread, Tx& tx, Body& body,
                                    Held<ResultOf<Body>>& result) const {
    thread.begin();
    try {
      if constexpr (std::is_void_v<ResultOf<Body>>) {
        body(tx);
      } else {
        result.emplace(body(tx));
      }
      return thread.commit();
    } catch (...) {
      // What a doomed attempt throws means nothing, but for what doomed it, and for what is no C++
      // exception: the thread ends. Aborted may be that of a transaction around this one, on
      // another memory.
      const bool doomed = thread.doomed() || !thread.holds();
      if (!doomed || thread.reason() == Reason::kNoMemory || std::current_exception() == nullptr) {
        thread.give_up(Reason::kException);
        throw;
      }
      return false;
    }
  }
};

// `one` makes an attempt, as Attempt does.
template <class Body, class One>
ResultOf<Body> run(Thread& thread, Body& body, bool read_only, One&& one) {
  using Result = ResultOf<Body>;
  char own;  // its address alone is used
  const StackPlace place{__builtin_frame_address(0), &own};
  Tx tx(thread);
  if (thread.running()) {
    if (MMT_UNLIKELY(!thread.is_within(place))) left_by_jump(thread);
    return body(tx);
  }
  thread.start(read_only, place);
  for (;;) {
    Held<Result> result;
    const bool committed = one(thread, tx, body, result);
    // Outside of the handler's reach: what has committed is not undone.
    if (committed) {
      if constexpr (std::is_void_v<Result>) {
        return;
      } else {
        return std::move(*result);
      }
    }
    if (thread.reason() == Reason::kNoMemory) {  // and the body has caught what told it
      thread.give_up(Reason::kNoMemory);
      throw std::bad_alloc();
    }
    thread.end_aborted();
  }
}

}  // namespace detail

template <class Body>
auto atomically(Thread& thread, Body&& body) {
  return detail::run(thread, body, false, detail::Attempt());
}

// The same for a body that writes nothing: no reads are kept. If it writes all the same, it begins
// anew as one that does.
template <class Body>
auto atomically_read_only(Thread& thread, Body&& body) {
  return detail::run(thread, body, true, detail::Attempt());
}

}  // namespace mmt::stm
