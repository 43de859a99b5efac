#pragma once
// A thread's turn at what many change: others wait, and no handler of a signal comes in between.
#include <cstdint>

#include <mmt/sync/try_lock.h>
#include <mmt/sys/thread.h>

namespace mmt::harden {

class Turn {
 public:
  explicit Turn(sync::TryLock<>& lock)
      : lock_(lock), self_(sys::current_thread_id()), taken_(lock.lock(self_)) {}
  ~Turn() {
    if (taken_) lock_.unlock(self_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  const sys::SignalsBlocked blocked_;
  sync::TryLock<>& lock_;
  uint32_t self_;
  bool taken_;  // else it is amid one already
};

}  // namespace mmt::harden
