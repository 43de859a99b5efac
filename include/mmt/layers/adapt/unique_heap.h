// This heap type refers to one heap object, which is made at the first use and never ended. The
// type is for classes and containers, which know a heap by its type alone. Tag tells apart what
// else has the same Target. The type is as thread-safe as the target.
#pragma once

#include <new>

#include <mmt/layers/adapt/forwarding_heap.h>

namespace mmt::layers {

template <class Target, class Tag = void>
class UniqueHeap : public ForwardingHeap<UniqueHeap<Target, Tag>, Target> {
 public:
  Target& target() const {
    // Not ended, as objects that end later may free what they hold.
    alignas(Target) static char storage[sizeof(Target)];
    static Target* const heap = ::new (static_cast<void*>(storage)) Target;
    return *heap;
  }
};

}  // namespace mmt::layers
