#pragma once
// A library may keep blocks of a thread's outside the thread's client (src/harden). It gives them
// back here, as the thread ends and may still use the heap. The plain heap keeps none.
namespace mmt::heap {

struct Heap;

struct ThreadEnds {
  static void seen(Heap& /*heap*/) {}
};

}  // namespace mmt::heap
