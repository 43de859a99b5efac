// This base class is what heaps that stand for another have in common. It offers each function that
// heap.h names where the target has it, and no other. Derived has target(). The class is as
// thread-safe as the target.
#pragma once

#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class Derived, class Target>
class ForwardingHeap {
 public:
  static constexpr size_t kAlignment = Target::kAlignment;
  static constexpr size_t kSkew = Target::kSkew;
  static constexpr bool kOneSize = kIsOneSize<Target>;
  static constexpr bool kFreesYounger = kIsFreeingYounger<Target>;

  void* malloc(size_t bytes) { return to().malloc(bytes); }
  void free(void* block) { to().free(block); }
  void free(void* block, size_t bytes) requires SizedFreeHeap<Target> { to().free(block, bytes); }
  size_t get_size(const void* block) const requires SizedHeap<Target> {
    return to().get_size(block);
  }
  bool owns(const void* address) const requires OwningHeap<Target> { return to().owns(address); }
  bool expand(void* block, size_t bytes) requires ResizableHeap<Target> {
    return to().expand(block, bytes);
  }
  size_t good_size(size_t bytes) const requires GoodSizeHeap<Target> {
    return to().good_size(bytes);
  }
  void clear() requires ClearableHeap<Target> { to().clear(); }
  Block allocate(size_t bytes, size_t alignment) requires AligningHeap<Target> {
    return to().allocate(bytes, alignment);
  }

 private:
  Target& to() const { return static_cast<const Derived*>(this)->target(); }
};

}  // namespace mmt::layers
