#pragma once
// Where a block was allocated, freed or misused: return addresses, the innermost first.
#include <cstdint>

namespace mmt::harden {

struct Stack {
  static constexpr uint32_t kMost = 32;
  static constexpr uint32_t kShown = 16;

  const void* frames[kMost];
  uint32_t count;   // 0: nothing is known
  uint32_t thread;  // that was there
  uint64_t ms;      // when, since the heap began (times.h)
};

}  // namespace mmt::harden
