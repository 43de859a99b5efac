#pragma once
// While a thread ends. A library may keep blocks of the thread's outside its client (src/harden).
// It gives them back as this begins, when the thread may still use the heap. The plain heap keeps
// none.
namespace mmt::heap {

struct Heap;

struct ThreadEnds {
  explicit ThreadEnds(Heap& /*heap*/) {}
};

}  // namespace mmt::heap
