// These are pure private heaps (the paper's ThreadHeap), kHeaps in all. Each thread has a heap of
// its own, in which it allocates. It also frees into that heap, whichever thread allocated the
// block. So threads seldom wait for each other; but the heap of a thread that only frees collects
// what others need.
//
// CacheStage keeps the super-heap's blocks as they are, as Freelist or StrictSeg, so that any
// private heap can take any block. The super-heap is shared, under a lock of its own, which is
// taken after that of a private heap. Any thread may call.
#pragma once

#include <concepts>

#include <mmt/layers/adapt/ref_heap.h>
#include <mmt/layers/combine/lending_heap.h>
#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/thread/heap_array.h>
#include <mmt/layers/thread/locked_heap.h>

namespace mmt::layers {

template <size_t kHeaps, class CacheStage, class Lock, class Super>
class ThreadHeap : public LockedHeap<Lock, Super> {
  static_assert(!kIsFreeingYounger<Super>,
                "ThreadHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(kHeaps > 0, "ThreadHeap: no heaps");
  static_assert(
      SizedHeap<Super>,
      "ThreadHeap: its super-heap has no get_size(block) by which private heaps know each "
      "other's blocks; put SizeHeap below it");

  using Shared = LockedHeap<Lock, Super>;
  using Private = typename CacheStage::template Over<RefHeap<Shared>>;
  static_assert(Heap<Private>, "ThreadHeap: a private heap has no malloc(size_t) and free(void*)");
  static_assert(LendingHeap<Private, RefHeap<Shared>>,
                "ThreadHeap: a private heap's blocks are not those of the super-heap, so that no "
                "other could take them; take Freelist or StrictSeg, or PHOThreadHeap");

 public:
  static constexpr bool kOneSize = kIsOneSize<Private> || kIsOneSize<Super>;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = false;

  constexpr ThreadHeap() : heaps_(*this) {}
  // It lies over a heap that refers to another, as RefHeap.
  template <class Target>
  requires std::constructible_from<Super, Target&>
  constexpr explicit ThreadHeap(Target& target) : Shared(target), heaps_(*this) {}
  ThreadHeap(const ThreadHeap&) = delete;
  ThreadHeap& operator=(const ThreadHeap&) = delete;

  void* malloc(size_t bytes) { return own().malloc(bytes); }
  void free(void* block) {
    // What lies within a larger block goes as that.
    if constexpr (requires { Super::base_of(block); }) block = Super::base_of(block);
    own().free(block);
  }
  // No other thread may be in the heap.
  void clear() requires ClearableHeap<Private> { heaps_.clear(); }

  size_t good_size(size_t bytes) const requires GoodSizeHeap<Private> || GoodSizeHeap<Super> {
    if constexpr (GoodSizeHeap<Private>) {
      return heaps_[0].good_size(bytes);
    } else {
      return Shared::good_size(bytes);
    }
  }
  // When it is freed it must be as large as what its private heap keeps.
  Block allocate(size_t bytes, size_t alignment) requires AligningHeap<Super> {
    if constexpr (GoodSizeHeap<Private>) {
      if (const size_t good = heaps_[0].good_size(bytes); good != 0) bytes = good;
    }
    if (bytes < kLeastBlockOf<Private>) bytes = kLeastBlockOf<Private>;
    return Shared::allocate(bytes, alignment);
  }
  void* remap(void* block, size_t bytes) = delete;  // could make it smaller
  void usage() = delete;                            // what private heaps keep is free

  void prepare_fork() requires ForkableLock<Lock> { heaps_.prepare_fork(*this); }
  void after_fork_in_parent() requires ForkableLock<Lock> { heaps_.after_fork_in_parent(*this); }
  void after_fork_in_child() requires ForkableLock<Lock> { heaps_.after_fork_in_child(*this); }

 private:
  using Heaps = HeapArray<kHeaps, LockedHeap<Lock, Private>, Shared>;

  auto& own() { return heaps_[Heaps::index_of_thread()]; }

  Heaps heaps_;
};

template <size_t kHeaps, class CacheStage, class Lock = Mutex>
struct Thread {
  template <class Super>
  using Over = ThreadHeap<kHeaps, CacheStage, Lock, Super>;
};

}  // namespace mmt::layers
