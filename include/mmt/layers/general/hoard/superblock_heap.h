// Hoard has a heap for each of kHeaps sets of threads, and a global one. Source: Berger, McKinley,
// Blumofe, Wilson, Hoard: A Scalable Memory Allocator for Multithreaded Applications, ASPLOS 2000.
//
// Each heap owns superblocks, and serves its threads out of the fullest. A freed block goes back to
// the superblock that it is of, whichever heap owns that. A heap has too much free of a size class
// if that is more than a superblock's worth, and more than a quarter. It then gives the emptiest
// superblock of the class to the global heap. It keeps kSlack empty superblocks. So memory that one
// thread frees serves others, and blowup is bounded.
//
// Locks are taken in this order: one heap's, the global one's, that of the granules. Any thread may
// call.
#pragma once

#include <new>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/general/hoard/large_object_heap.h>
#include <mmt/layers/general/hoard/superblock.h>
#include <mmt/layers/general/hoard/superblock_owners.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/thread/mutex.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <class Classes, size_t kHeaps, HeapLock Lock, class Super>
class SuperblockHeap : public Super {
  static_assert(SizeClasses<Classes>,
                "SuperblockHeap: Classes has no kCount, kLargest, of(), floor_of() and size()");
  static_assert(GranuleGivingHeap<Super>,
                "SuperblockHeap: its super-heap gives no single granules; put LargeObjects below "
                "it");
  static_assert(sizeof(Superblock) + Classes::kLargest <= Super::kGranule &&
                    Classes::size(0) % kBlockAlignment == 0,
                "SuperblockHeap: its size classes do not lie within a granule, or are not even");

 public:
  using Super::kGranule;
  using Super::Super;

  void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(bytes > Classes::kLargest)) return Super::malloc(bytes);
    const size_t c = Classes::of(bytes);
    Owner& owner = owners_.of_thread();
    const ScopedLock held(owner.lock);
    Superblock* superblock = owner.groups.fullest(c);
    if (MMT_UNLIKELY(superblock == nullptr)) {
      superblock = refill(owner, c);
      if (superblock == nullptr) return nullptr;
    }
    return owner.groups.take(superblock);
  }
  void free(void* block) {
    GranuleHead* const head = Super::head_of(block);
    if (MMT_UNLIKELY(head == nullptr || head->is_large)) return Super::free(block);
    auto* const superblock = static_cast<Superblock*>(head);
    block = superblock->block_around(block);
    Owner& owner = Owners::lock_owner(superblock);
    owner.groups.give(superblock, block);
    if (MMT_UNLIKELY(superblock->is_empty())) {
      if (owner.groups.empty_count() > owners_.most_empty(owner)) drop(owner, superblock);
    } else if (MMT_UNLIKELY(owner.groups.is_too_empty(superblock))) {
      owners_.give_away(owner, superblock);
    }
    owner.lock.unlock();
  }
  void free(void* block, size_t bytes) = delete;

  size_t get_size(const void* block) const {
    const GranuleHead* const head = Super::head_of(block);
    if (head == nullptr || head->is_large) return Super::get_size(block);
    const auto* const superblock = static_cast<const Superblock*>(head);
    const void* const begin = superblock->block_around(const_cast<void*>(block));
    return superblock->size() -
           static_cast<size_t>(static_cast<const char*>(block) - static_cast<const char*>(begin));
  }
  size_t good_size(size_t bytes) const {
    return bytes > Classes::kLargest ? Super::good_size(bytes) : Classes::size(Classes::of(bytes));
  }
  bool expand(void* block, size_t bytes) { return bytes <= get_size(block); }

  Block allocate(size_t bytes, size_t alignment) {
    if (bytes == 0) bytes = 1;  // so that it lies within its block
    if (bytes > Classes::kLargest || alignment > Classes::kLargest - bytes) {
      return Super::allocate(bytes, alignment);
    }
    const bool is_plain = alignment <= kBlockAlignment;
    void* const whole = malloc(is_plain ? bytes : bytes + alignment - kBlockAlignment);
    if (whole == nullptr) return {};
    auto* const superblock = static_cast<Superblock*>(Super::head_of(whole));
    const auto address = reinterpret_cast<uintptr_t>(whole);
    const size_t distance = is_plain ? 0 : core::align_up(address, alignment) - address;
    if (distance != 0) superblock->set_has_inner();
    return {static_cast<char*>(whole) + distance, superblock->size() - distance};
  }

  // One thread alone may call it.
  void clear() {
    owners_.forget();
    Super::clear();
  }
  // Gives back the memory of all superblocks that are empty. False: they have none.
  bool trim() {
    owners_.for_each([&](Owner& owner) {
      while (Superblock* const superblock = owner.groups.any_empty()) drop(owner, superblock);
    });
    return Super::trim();
  }
  Usage usage() {
    Usage all = Super::usage();
    owners_.for_each([&](const Owner& owner) {
      owner.groups.for_each([&](const Superblock& superblock) {
        const size_t free_blocks = superblock.capacity() - superblock.used();
        all.free_blocks += free_blocks;
        all.free_bytes += free_blocks * superblock.size();
      });
    });
    return all;
  }
  // A walk over all superblocks: what is wrong with them, or null.
  const char* find_fault() { return owners_.find_fault(); }

  void prepare_fork() {
    owners_.prepare_fork();
    Super::prepare_fork();
  }
  void after_fork_in_parent() {
    Super::after_fork_in_parent();
    owners_.after_fork_in_parent();
  }
  void after_fork_in_child() {
    Super::after_fork_in_child();
    owners_.after_fork_in_child();
  }

 private:
  using Owners = SuperblockOwners<Classes::kCount, kHeaps, Lock>;
  using Owner = typename Owners::Owner;

  // Under the lock of the owner to be: one of that class with a block left; null: no memory.
  MMT_NOINLINE Superblock* refill(Owner& owner, size_t c) {
    Superblock* superblock = owner.groups.any_empty();
    if (superblock != nullptr) {
      owner.groups.remove(superblock);
      superblock = make(superblock, c);
    } else if (Superblock* const other = owners_.take_from_global(owner, c)) {
      return other;
    } else {
      superblock = make(Super::take_granule(), c);
      if (superblock == nullptr) return nullptr;
    }
    superblock->set_owner(&owner);
    owner.groups.add(superblock);
    return superblock;
  }
  static Superblock* make(void* granule, size_t c) {
    if (granule == nullptr) return nullptr;
    return ::new (granule) Superblock(kGranule, c, Classes::size(c));
  }
  // Drops an empty one, under its owner's lock.
  MMT_NOINLINE void drop(Owner& owner, Superblock* superblock) {
    owner.groups.remove(superblock);
    Super::give_granule(superblock);
  }

  Owners owners_;
};

template <class Classes, size_t kHeaps, HeapLock Lock = Mutex>
struct Superblocks {
  template <class Super>
  using Over = SuperblockHeap<Classes, kHeaps, Lock, Super>;
};

}  // namespace mmt::layers
