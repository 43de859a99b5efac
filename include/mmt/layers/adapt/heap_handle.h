// Containers and resources hold a heap by its address, and the heap outlives them. They hold
// nothing where every object of the heap's type is the same heap. Such a type is empty and is made
// from nothing, as UniqueHeap is.
#pragma once

#include <type_traits>

#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class H>
inline constexpr bool kIsStateless = std::is_empty_v<H>&& std::is_default_constructible_v<H>;

template <class H>
class HeapHandle {
 public:
  explicit HeapHandle(H& heap) : heap_(&heap) {}
  H& get() const { return *heap_; }
  bool operator==(const HeapHandle&) const = default;

 private:
  H* heap_;
};

template <class H>
requires kIsStateless<H>
class HeapHandle<H> {
 public:
  HeapHandle() = default;
  explicit HeapHandle(H&) {}
  H get() const { return H(); }
  bool operator==(const HeapHandle&) const { return true; }
};

// Whether malloc's blocks have that alignment, a power of two.
template <class H>
constexpr bool has_alignment(size_t alignment) {
  return H::kAlignment >= alignment && H::kSkew % alignment == 0;
}

}  // namespace mmt::layers
