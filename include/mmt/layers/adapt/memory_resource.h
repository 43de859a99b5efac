// A heap as a std::pmr::memory_resource. Resources are equal if they stand for the same heap, which
// outlives them. A resource throws std::bad_alloc, also for an alignment that the heap does not
// offer. It is as thread-safe as the heap.
#pragma once

#include <memory_resource>
#include <new>

#include <mmt/core/compiler.h>
#include <mmt/layers/adapt/heap_handle.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class H>
class HeapResource final : public std::pmr::memory_resource {
  static_assert(Heap<H>, "HeapResource: its heap has no malloc(size_t) and free(void*)");
  static_assert(!kIsOneSize<H>,
                "HeapResource: its heap serves one size only, and containers ask for many");

 public:
  HeapResource() requires kIsStateless<H>
  = default;
  explicit HeapResource(H& heap) : heap_(heap) {}

 private:
  void* do_allocate(size_t bytes, size_t alignment) override {
    void* block = block_of(bytes, alignment);
    if (MMT_UNLIKELY(block == nullptr)) throw std::bad_alloc();
    return block;
  }
  void do_deallocate(void* block, size_t bytes, size_t) override {
    if constexpr (SizedFreeHeap<H>) {
      heap_.get().free(block, bytes);
    } else {
      heap_.get().free(block);
    }
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    const auto* same = dynamic_cast<const HeapResource*>(&other);
    return same != nullptr && heap_ == same->heap_;
  }

  // Null also for an alignment that the heap does not offer.
  void* block_of(size_t bytes, size_t alignment) {
    if (MMT_LIKELY(has_alignment<H>(alignment))) return heap_.get().malloc(bytes);
    if constexpr (AligningHeap<H>) return heap_.get().allocate(bytes, alignment).data;
    return nullptr;
  }

  [[no_unique_address]] HeapHandle<H> heap_;
};

}  // namespace mmt::layers
