// The source of a bin: gives nothing out, and returns what is freed to the heap that the bin's
// blocks come from. So a bin that runs dry says so, and one that is full loses nothing. The target
// outlives it. It is as thread-safe as the target.
#pragma once

#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class Target>
class ReturnHeap {
 public:
  static constexpr size_t kAlignment = Target::kAlignment;
  static constexpr size_t kSkew = Target::kSkew;

  constexpr explicit ReturnHeap(Target& target) : target_(&target) {}

  void* malloc(size_t) { return nullptr; }
  void free(void* block) { target_->free(block); }
  void clear() {}  // the target's owner clears it
  size_t get_size(const void* block) const requires SizedHeap<Target> {
    return target_->get_size(block);
  }

 private:
  Target* target_;
};

}  // namespace mmt::layers
