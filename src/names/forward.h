#pragma once
// Calls of libc that a second thread changes the meaning of, by their names: each is forwarded to
// the definition behind ours.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <mmt/core/name.h>

#include "names/early.h"
#include "names/next.h"

namespace mmt::names {

using core::Name;

// The next definition of kName is looked up as we are loaded. Later, the dynamic linker's lock may
// be held by a thread that a fork's child does not have. The code that a handler has interrupted
// may hold the lock too.
template <class Function, Name kName>
struct Next {
  static inline Function* cached = nullptr;
  static inline const bool is_early = next_function(&cached, kName.text) != nullptr;
};

// The kernel's answer as a function's: -1 for an error.
template <class Result>
Result as_result(long answer) {
  if (answer < 0 && answer > -4096) answer = -1;
  if constexpr (std::is_pointer_v<Result>)
    return reinterpret_cast<Result>(answer);
  else
    return static_cast<Result>(answer);
}

// What the next definition of kName answers; -1 with ENOSYS when there is none. -1 where it is too
// early to look it up.
template <class Result, Name kName, class... Arguments>
Result forward(Arguments... arguments) {
  if (is_early()) return as_result<Result>(-1);
  using Definition = Next<Result(Arguments...), kName>;
  static_cast<void>(Definition::is_early);
  auto* function = next_function(&Definition::cached, kName.text);
  if (function != nullptr) return function(arguments...);
  errno = ENOSYS;
  return as_result<Result>(-1);
}

}  // namespace mmt::names
