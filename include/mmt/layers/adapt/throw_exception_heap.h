// Throws std::bad_alloc where the super-heap has no memory, instead of returning null. It stands
// above locks, which an exception would not open again. It is as thread-safe as its super-heap.
#pragma once

#include <new>

#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

template <class Super>
class ThrowExceptionHeap : public Super {
  static_assert(Heap<Super>,
                "ThrowExceptionHeap: its super-heap has no malloc(size_t) and free(void*)");

 public:
  using Super::Super;

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    void* block = Super::malloc(bytes);
    if (MMT_UNLIKELY(block == nullptr)) fail();
    return block;
  }
  Block allocate(size_t bytes, size_t alignment) requires AligningHeap<Super> {
    const Block block = Super::allocate(bytes, alignment);
    if (MMT_UNLIKELY(block.data == nullptr)) fail();
    return block;
  }

  void* malloc_quickly(size_t bytes) = delete;  // returns null

 private:
  [[noreturn]] MMT_COLD static void fail() { throw std::bad_alloc(); }
};

using ThrowException = Stage<ThrowExceptionHeap>;

}  // namespace mmt::layers
