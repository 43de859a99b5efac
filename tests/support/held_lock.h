// Minimal double of the depot lock's holder: for one depot that a single thread uses.
#pragma once

#include "heap/store/lock_token.h"

namespace mmt::test {

class HeldLock {
 public:
  operator store::LockToken() const { return store::LockToken(0); }
};

// A class without state: one serves all.
inline constexpr HeldLock lock;

}  // namespace mmt::test
