// These are the heaps that own superblocks: kHeaps of them, each for some threads, and a global
// one. A heap keeps at most kSlack empty superblocks. A heap has too much free of a size class if
// that is more than a superblock's worth, and more than a quarter. It then gives the emptiest
// superblock of the class to the global heap, where others find it. The global heap keeps no empty
// superblocks.
//
// A superblock changes owner only under the locks of both. A heap's lock is taken before the global
// one's, and no thread takes those of two heaps, except before a fork.
#pragma once

#include <cstddef>

#include <mmt/core/compiler.h>
#include <mmt/layers/general/hoard/fork_lock.h>
#include <mmt/layers/general/hoard/superblock.h>
#include <mmt/layers/general/hoard/superblock_groups.h>
#include <mmt/layers/thread/mutex.h>
#include <mmt/layers/thread/thread_index.h>

namespace mmt::layers {

template <size_t kClasses, size_t kHeaps, HeapLock Lock>
class SuperblockOwners {
  static_assert(kHeaps != 0, "SuperblockOwners: there is no heap for the threads");

 public:
  static constexpr size_t kSlack = 2;

  struct alignas(core::kNoSharing) Owner {
    LastingLock<Lock> lock;
    SuperblockGroups<kClasses> groups;
  };

  constexpr SuperblockOwners() = default;
  SuperblockOwners(const SuperblockOwners&) = delete;
  SuperblockOwners& operator=(const SuperblockOwners&) = delete;

  MMT_ALWAYS_INLINE Owner& of_thread() { return owners_[thread_index() % kHeaps]; }
  // How many empty superblocks it may keep.
  size_t most_empty(const Owner& owner) const { return is_global(owner) ? 0 : kSlack; }

  // Takes the lock of the owner of a superblock that is in use, which may change until then.
  MMT_ALWAYS_INLINE static Owner& lock_owner(const Superblock* superblock) {
    while (true) {
      auto* const owner = static_cast<Owner*>(superblock->owner());
      owner->lock.lock();
      if (MMT_LIKELY(superblock->owner() == owner)) return *owner;
      owner->lock.unlock();
    }
  }

  // Under the lock of the owner to be; null: the global heap has none of that class.
  Superblock* take_from_global(Owner& owner, size_t c) {
    const ScopedLock held(global().lock);
    Superblock* const superblock = global().groups.fullest(c);
    if (superblock != nullptr) move(superblock, global(), owner);
    return superblock;
  }
  // Under the lock of the owner, which has too much of the class of that superblock.
  MMT_NOINLINE void give_away(Owner& owner, const Superblock* of_class) {
    if (is_global(owner)) return;
    const ScopedLock held(global().lock);
    do {
      // There is one, as more than a quarter of all is free.
      move(owner.groups.emptiest(of_class->size_class()), owner, global());
    } while (owner.groups.is_too_empty(of_class));
  }

  // Calls visit(owner), under its lock.
  template <class Visit>
  void for_each(Visit visit) {
    for (Owner& owner : owners_) {
      const ScopedLock held(owner.lock);
      visit(owner);
    }
  }
  // One thread alone may call it.
  void forget() {
    for (Owner& owner : owners_) owner.groups.forget();
  }
  // A walk: what is wrong with the superblocks, or null.
  const char* find_fault() {
    const char* fault = nullptr;
    for_each([&](const Owner& owner) {
      if (!owner.groups.is_consistent(&owner)) fault = "a heap's superblocks are not in order";
      if (owner.groups.empty_count() > most_empty(owner)) fault = "a heap has too many empty ones";
      owner.groups.for_each([&](const Superblock& superblock) {
        const bool is_too_empty = !superblock.is_empty() && owner.groups.is_too_empty(&superblock);
        if (is_too_empty && !is_global(owner)) fault = "a heap has too much that is free";
      });
    });
    return fault;
  }

  void prepare_fork() {
    for (Owner& owner : owners_) owner.lock.prepare_fork();
  }
  void after_fork_in_parent() {
    for (Owner& owner : owners_) owner.lock.after_fork_in_parent();
  }
  void after_fork_in_child() {
    for (Owner& owner : owners_) owner.lock.after_fork_in_child();
  }

 private:
  Owner& global() { return owners_[kHeaps]; }
  bool is_global(const Owner& owner) const { return &owner == &owners_[kHeaps]; }
  // The caller holds the locks of both.
  static void move(Superblock* superblock, Owner& from, Owner& to) {
    from.groups.remove(superblock);
    superblock->set_owner(&to);
    to.groups.add(superblock);
  }

  Owner owners_[kHeaps + 1];
};

}  // namespace mmt::layers
