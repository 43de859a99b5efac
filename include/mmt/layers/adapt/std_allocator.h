// This type makes a heap the allocator of containers. Allocators are equal if they stand for the
// same heap, which outlives what is allocated. The heap goes along when a container is copied,
// moved or swapped. An allocator throws std::bad_alloc, or std::bad_array_new_length where the size
// in bytes would wrap around. It is as thread-safe as the heap.
#pragma once

#include <limits>
#include <new>
#include <type_traits>

#include <mmt/core/checked.h>
#include <mmt/layers/adapt/heap_handle.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class T, class H>
class std_allocator {
  static_assert(Heap<H>, "std_allocator: its heap has no malloc(size_t) and free(void*)");
  static_assert(!kIsOneSize<H>,
                "std_allocator: its heap serves one size only, and containers ask for many");

 public:
  using value_type = T;
  using is_always_equal = std::bool_constant<kIsStateless<H>>;
  // Assigning a container from another then never has to move its elements one by one.
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  template <class U>
  struct rebind {
    using other = std_allocator<U, H>;
  };

  std_allocator() requires kIsStateless<H>
  = default;
  std_allocator(H& heap) : heap_(heap) {}  // NOLINT: a container is given its heap
  template <class U>
  std_allocator(const std_allocator<U, H>& other) : heap_(other.heap_) {}  // NOLINT: as std's

  [[nodiscard]] T* allocate(size_t count) {
    size_t bytes;
    if (!core::checked_multiply(count, sizeof(T), &bytes)) throw std::bad_array_new_length();
    void* block = block_of(bytes);
    if (block == nullptr) throw std::bad_alloc();
    return static_cast<T*>(block);
  }
  void deallocate(T* block, size_t count) {
    if constexpr (SizedFreeHeap<H>) {
      heap_.get().free(block, count * sizeof(T));
    } else {
      heap_.get().free(block);
    }
  }

  template <class U>
  bool operator==(const std_allocator<U, H>& other) const {
    return heap_ == other.heap_;
  }

 private:
  template <class, class>
  friend class std_allocator;

  void* block_of(size_t bytes) {
    static_assert(has_alignment<H>(alignof(T)) || AligningHeap<H>,
                  "std_allocator: its heap's blocks are not aligned for this type, and it has no "
                  "allocate(bytes, alignment)");
    if constexpr (has_alignment<H>(alignof(T))) {
      return heap_.get().malloc(bytes);
    } else {
      return heap_.get().allocate(bytes, alignof(T)).data;
    }
  }

  [[no_unique_address]] HeapHandle<H> heap_;
};

}  // namespace mmt::layers
