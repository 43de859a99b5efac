// Private heaps of threads: kHeaps heaps over one source, each on cache lines of its own. Threads
// share one where there are more of them than heaps, so the heaps have locks.
#pragma once

#include <cstddef>
#include <memory>

#include <mmt/core/compiler.h>
#include <mmt/layers/thread/thread_index.h>

namespace mmt::layers {

template <size_t kHeaps, class LockedHeap, class Source>
class HeapArray {
 public:
  constexpr explicit HeapArray(Source& source) {
    for (Slot& slot : slots_) std::construct_at(&slot.heap, source);
  }
  HeapArray(const HeapArray&) = delete;
  HeapArray& operator=(const HeapArray&) = delete;
  ~HeapArray() {
    for (Slot& slot : slots_) std::destroy_at(&slot.heap);
  }

  static size_t index_of_thread() { return thread_index() % kHeaps; }
  LockedHeap& operator[](size_t i) { return slots_[i].heap; }
  const LockedHeap& operator[](size_t i) const { return slots_[i].heap; }

  void clear() {
    for (Slot& slot : slots_) slot.heap.clear();
  }

  void prepare_fork() {
    for (Slot& slot : slots_) slot.heap.prepare_fork();
  }
  void after_fork_in_parent() {
    for (Slot& slot : slots_) slot.heap.after_fork_in_parent();
  }
  void after_fork_in_child() {
    for (Slot& slot : slots_) slot.heap.after_fork_in_child();
  }

 private:
  // A union, as compilers cannot make an array of what cannot be moved from arguments at compile
  // time.
  union alignas(core::kNoSharing) Slot {
    constexpr Slot() {}
    ~Slot() {}
    LockedHeap heap;
  };

  Slot slots_[kHeaps];
};

}  // namespace mmt::layers
