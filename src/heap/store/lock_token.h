#pragma once
// A LockToken says, as a value, that the calling thread holds the depot lock. Each call that needs
// the lock takes a token, and only a thread that took the lock can make one. A token is empty, and
// so costs nothing. Nobody keeps a token beyond the guard that it is from.
#include <cstdint>

namespace mmt::store {
class LockToken;
}

namespace mmt::heap {
struct Heap;
class DepotGuard;
class DepotStep;
store::LockToken lock_of_fork(Heap& heap, uint32_t self);
}  // namespace mmt::heap

namespace mmt::test {
class HeldLock;
}

namespace mmt::store {

class LockToken {
  // No default, by which it would be made of {}.
  explicit LockToken(int) {}

  friend class heap::DepotGuard;
  friend class heap::DepotStep;
  friend LockToken heap::lock_of_fork(heap::Heap& heap, uint32_t self);
  friend class test::HeldLock;
};

}  // namespace mmt::store
