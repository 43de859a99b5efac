// This layer rounds requests up to the sizes of their classes (see size_classes.h). So the heap
// below deals in few sizes, at the price of the memory. Requests beyond Classes::kLargest stay as
// they are.
#pragma once

#include <mmt/core/compiler.h>
#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class Classes, class Super>
class RoundUpHeap : public Super {
  static_assert(!kIsOneSize<Super>, "RoundUpHeap: its super-heap serves one size alone");
  static_assert(SizeClasses<Classes>,
                "RoundUpHeap: Classes has no kCount, kLargest, of(), floor_of() and size()");
  static_assert(Heap<Super>, "RoundUpHeap: its super-heap has no malloc(size_t) and free(void*)");

 public:
  using Super::Super;

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) { return Super::malloc(rounded(bytes)); }
  void free(void* block) { Super::free(block); }
  void free(void* block, size_t bytes) requires SizedFreeHeap<Super> {
    Super::free(block, rounded(bytes));
  }
  bool expand(void* block, size_t bytes) requires ResizableHeap<Super> {
    return Super::expand(block, rounded(bytes)) || Super::expand(block, bytes);
  }
  size_t good_size(size_t bytes) const {
    if constexpr (GoodSizeHeap<Super>) return Super::good_size(rounded(bytes));
    return bytes > kMaxRequest ? 0 : rounded(bytes);
  }
  Block allocate(size_t bytes, size_t alignment) requires AligningHeap<Super> {
    return Super::allocate(rounded(bytes), alignment);
  }

 private:
  static constexpr size_t rounded(size_t bytes) {
    return bytes > Classes::kLargest ? bytes : Classes::size(Classes::of(bytes));
  }
};

template <class Classes>
struct RoundUp {
  template <class Super>
  using Over = RoundUpHeap<Classes, Super>;
};

}  // namespace mmt::layers
