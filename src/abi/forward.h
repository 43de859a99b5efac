#pragma once
// Calls of libc that a second thread changes the meaning of, by their names: each is forwarded to
// the definition behind ours.
#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "abi/next.h"

namespace mmt::abi {

template <size_t kSize>
struct Name {
  constexpr Name(const char (&from)[kSize]) { std::copy_n(from, kSize, text); }
  char text[kSize];
};

// What the next definition of kName answers; -1 with ENOSYS when there is none.
template <class Result, Name kName, class... Arguments>
Result forward(Arguments... arguments) {
  static Result (*cached)(Arguments...);
  auto* function = next_function(&cached, kName.text);
  if (function != nullptr) return function(arguments...);
  errno = ENOSYS;
  return -1;
}

}  // namespace mmt::abi
