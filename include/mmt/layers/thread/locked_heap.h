// This layer lets one thread at a time into the super-heap (the paper's LockedHeap, which
// code-locks). Any thread may call what is below. A call of get_size() takes no lock where the
// super-heap's sizes may be asked for at any time. Whatever else the super-heap has is called
// through alone(). The lock is not recursive.
#pragma once

#include <utility>

#include <mmt/layers/adapt/front_heap.h>
#include <mmt/layers/adapt/remapping_heap.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/thread/mutex.h>

namespace mmt::layers {

template <class Lock, class Super>
class LockedHeap : public Super {
  static_assert(Heap<Super>, "LockedHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(HeapLock<Lock>, "LockedHeap: its Lock has no lock() and unlock(); take Mutex");
  static_assert(!FrontHeap<Super>,
                "LockedHeap: realloc and calloc of its super-heap would pass the lock by; put it "
                "below");

  using Scope = ScopedLock<Lock>;

 public:
  static constexpr bool kSharedSizes = SizedHeap<Super>;
  static constexpr bool kSharedOwns = false;  // it takes the lock

  using Super::Super;

  void* malloc(size_t bytes) {
    const Scope scope(lock_);
    return Super::malloc(bytes);
  }
  void free(void* block) {
    const Scope scope(lock_);
    Super::free(block);
  }
  void free(void* block, size_t bytes) requires SizedFreeHeap<Super> {
    const Scope scope(lock_);
    Super::free(block, bytes);
  }
  Block allocate(size_t bytes, size_t alignment) requires AligningHeap<Super> {
    const Scope scope(lock_);
    return Super::allocate(bytes, alignment);
  }
  bool expand(void* block, size_t bytes) requires ResizableHeap<Super> {
    const Scope scope(lock_);
    return Super::expand(block, bytes);
  }
  void* remap(void* block, size_t bytes) requires RemappingHeap<Super> {
    const Scope scope(lock_);
    return Super::remap(block, bytes);
  }
  void clear() requires ClearableHeap<Super> {
    const Scope scope(lock_);
    Super::clear();
  }

  size_t get_size(const void* block) const requires SizedHeap<Super> {
    if constexpr (kHasSharedSizes<Super>) return Super::get_size(block);
    const Scope scope(lock_);
    return Super::get_size(block);
  }
  size_t good_size(size_t bytes) const requires GoodSizeHeap<Super> {
    const Scope scope(lock_);
    return Super::good_size(bytes);
  }
  bool owns(const void* address) const requires OwningHeap<Super> {
    const Scope scope(lock_);
    return Super::owns(address);
  }
  auto usage() requires requires(Super& super) { super.usage(); }
  {
    const Scope scope(lock_);
    return Super::usage();
  }
  bool trim() requires requires(Super& super) { super.trim(); }
  {
    const Scope scope(lock_);
    return Super::trim();
  }
  // visit(super-heap), while no other thread is in it.
  template <class Visit>
  decltype(auto) alone(Visit&& visit) {
    const Scope scope(lock_);
    return std::forward<Visit>(visit)(static_cast<Super&>(*this));
  }

  // For pthread_atfork: the heap stands still while the process is copied.
  void prepare_fork() requires ForkableLock<Lock> {
    lock_.prepare_fork();
    if constexpr (requires { Super::prepare_fork(); }) Super::prepare_fork();
  }
  void after_fork_in_parent() requires ForkableLock<Lock> {
    if constexpr (requires { Super::prepare_fork(); }) Super::after_fork_in_parent();
    lock_.after_fork_in_parent();
  }
  void after_fork_in_child() requires ForkableLock<Lock> {
    if constexpr (requires { Super::prepare_fork(); }) Super::after_fork_in_child();
    lock_.after_fork_in_child();
  }

 private:
  mutable Lock lock_;
};

template <class Lock = Mutex>
struct Locked {
  template <class Super>
  using Over = LockedHeap<Lock, Super>;
};

}  // namespace mmt::layers
