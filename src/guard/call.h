#pragma once
// What the pool is told of a call (names/call.h): where it came from.
#include <cstddef>

#include "names/call.h"

namespace mmt::guard {

struct Call {
  const void* caller = nullptr;

  constexpr Call() = default;
  constexpr Call(names::Form, const void* from, size_t, size_t) : caller(from) {}
};

}  // namespace mmt::guard
