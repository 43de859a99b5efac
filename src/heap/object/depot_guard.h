#pragma once
// Threads hold the depot lock for one bounded step without a system call. A call that comes
// meanwhile in the same thread learns of it.
//
// While a step is under way all signals are blocked but those that the kernel forces (see
// sys::block_signals). The handler of a forced signal may return, or call malloc and free. The
// handler's guards are not held: it is served from fresh memory, or leaves what it frees for the
// next holder. It must not leave by siglongjmp. The ban does not hold in system calls, at touches
// of the program's memory, or as the stack grows: these lie outside a step.
#include <cstddef>
#include <cstdint>

#include <mmt/core/check.h>

#include "heap/object/depot_scope.h"
#include "heap/store/lock_token.h"

namespace mmt::heap {

struct Heap;

using store::LockToken;

// How long a client tries for the depot lock. All waits but kForever end in a bounded time, in
// which a holder that was preempted costs speed, never progress. The exception stands at
// kMostPastLock.
enum class DepotWait : uint8_t {
  kBrief,    // several steps of a holder that runs, some 10 us: going without is free
  kThrifty,  // the same; where much lies free behind the lock, some ms: instead of fresh memory
  kPatient,  // some ms: where going without costs more
  kForever,  // as long as it takes
};

// The lock's holder may be kept from running for long, on a machine with many busy processes. This
// must not cost memory without bound. Beyond this much, clients that would take fresh memory wait
// for the lock.
inline constexpr size_t kMostPastLock = size_t{64} << 20;  // for up to kHoldersPastLock threads
inline constexpr uint32_t kHoldersPastLock = 8;            // divided among more

// A client took so many bytes of fresh memory, the lock being busy.
void note_taken_past_lock(Heap& heap, size_t bytes);

// The calling thread, by this id, is amid a step: it runs a handler that interrupted one.
bool is_amid_depot_step(Heap& heap, uint32_t self);

// The calling thread holds the lock, or a handler of its has interrupted a step that does.
bool is_held_here(Heap& heap);
// The same of the thread with this id.
bool is_held_by(Heap& heap, uint32_t self);

// It is for the program's threads.
class DepotGuard : DepotScope {
 public:
  // See held(). All but the brief waits go on until the end of a fork, which holds the lock while
  // the kernel copies the process. Every other malloc's locks make threads wait then, too; fresh
  // memory at each call meanwhile would cost more. The thrifty waits also go on beyond
  // kMostPastLock.
  explicit DepotGuard(Heap& heap, DepotWait wait = DepotWait::kForever);
  ~DepotGuard();
  // False: the lock was busy; after a wait without end, the calling thread is amid a step.
  bool held() const { return held_; }
  // Where it is held.
  operator LockToken() const {
    MMT_DEBUG_CHECK(is_held_here(heap_));
    return LockToken(0);
  }
  DepotGuard(const DepotGuard&) = delete;
  DepotGuard& operator=(const DepotGuard&) = delete;

 private:
  Heap& heap_;
  uint64_t signals_;
  bool taken_here_ = false;  // false while held: this thread holds it for a fork that is under way
  bool held_;
};

// The same for a thread that has blocked signals already, the memory thread above all. `self` names
// it. It waits, spinning at first, as long as it takes; or, with `spins`, no longer than that.
class DepotStep : DepotScope {
 public:
  static constexpr uint32_t kNoLimit = ~uint32_t{0};

  explicit DepotStep(Heap& heap, uint32_t self, uint32_t spins = kNoLimit);
  ~DepotStep();
  bool held() const { return held_; }
  // Where it is held.
  operator LockToken() const {
    MMT_DEBUG_CHECK(is_held_by(heap_, self_));
    return LockToken(0);
  }
  DepotStep(const DepotStep&) = delete;
  DepotStep& operator=(const DepotStep&) = delete;

 private:
  Heap& heap_;
  uint32_t self_;
  bool taken_here_ = false;
  bool held_ = false;
};

// A fork calls this, with signals blocked. Handlers may nest, in a fork within a fork. Returns
// false where the calling thread holds the lock already.
bool hold_depot_for_fork(Heap& heap, uint32_t self);
// The token is good between that and the release.
LockToken lock_of_fork(Heap& heap, uint32_t self);
// In the parent: whether the fork that has ended is the one that took the lock; then it is to be
// released.
bool ends_outermost_fork(Heap& heap, uint32_t self);
void release_depot_after_fork(Heap& heap, uint32_t self);
// The child calls this, by its only thread's new id. True: the thread forked amid a step, which it
// goes on with. It holds the lock as before, and what the depot has is not to be touched.
bool reset_depot_lock_in_child(Heap& heap, uint32_t self);

}  // namespace mmt::heap
