// A heap that stands for another object, which outlives it: several heaps share one source. It is
// as thread-safe as that object.
#pragma once

#include <mmt/layers/adapt/forwarding_heap.h>

namespace mmt::layers {

template <class Target>
class RefHeap : public ForwardingHeap<RefHeap<Target>, Target> {
 public:
  constexpr explicit RefHeap(Target& target) : target_(&target) {}
  Target& target() const { return *target_; }

 private:
  Target* target_;
};

}  // namespace mmt::layers
