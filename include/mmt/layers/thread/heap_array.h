// Private heaps of threads: kHeaps heaps over one source, each on cache lines of its own. Threads
// share one where there are more of them than heaps, so the heaps have locks. Any thread may call.
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
    for (Cell& cell : cells_) std::construct_at(&cell.heap, source);
  }
  HeapArray(const HeapArray&) = delete;
  HeapArray& operator=(const HeapArray&) = delete;
  ~HeapArray() {
    for (Cell& cell : cells_) std::destroy_at(&cell.heap);
  }

  static size_t index_of_thread() { return thread_index() % kHeaps; }
  LockedHeap& operator[](size_t i) { return cells_[i].heap; }
  const LockedHeap& operator[](size_t i) const { return cells_[i].heap; }

  void clear() {
    for (Cell& cell : cells_) cell.heap.clear();
  }

  // The source's lock is taken last and given back first.
  void prepare_fork(Source& source) {
    for (Cell& cell : cells_) cell.heap.prepare_fork();
    source.prepare_fork();
  }
  void after_fork_in_parent(Source& source) {
    source.after_fork_in_parent();
    for (Cell& cell : cells_) cell.heap.after_fork_in_parent();
  }
  void after_fork_in_child(Source& source) {
    source.after_fork_in_child();
    for (Cell& cell : cells_) cell.heap.after_fork_in_child();
  }

 private:
  // A union, as compilers cannot make an array of what cannot be moved from arguments at compile
  // time.
  union alignas(core::kNoSharing) Cell {
    constexpr Cell() {}
    ~Cell() {}
    LockedHeap heap;
  };

  Cell cells_[kHeaps];
};

}  // namespace mmt::layers
