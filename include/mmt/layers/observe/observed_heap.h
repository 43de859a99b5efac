// This layer contains an Observer, and tells it what happens between this heap and its user. The
// layer itself changes nothing. An observer has:
//   - gave(block, bytes, alignment, has)   a block for so many bytes; alignment: 0 for malloc
//   - refused(bytes, alignment)            no such block could be had
//   - takes(block, bytes, had)             the block will be freed; bytes: the size told, or 0
//   - grew(block, bytes, had, has)         the block grew in place
//   - cleared()                            all blocks have ended
//   - kWantsSizes                          true: `had` and `has` are what get_size() tells. They
//                                          are 0 otherwise, and where the super-heap has no sizes.
//
// An observer may ask which code called the heap. It then makes these functions MMT_NOINLINE, and
// reads __builtin_return_address(0) in them. The layer takes no lock to call the observer.
#pragma once

#include <concepts>

#include <mmt/core/compiler.h>
#include <mmt/layers/adapt/front_heap.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class O>
concept HeapObserver = requires(O& observer, void* block, size_t n) {
  { O::kWantsSizes } -> std::convertible_to<bool>;
  observer.gave(block, n, n, n);
  observer.refused(n, n);
  observer.takes(block, n, n);
  observer.grew(block, n, n, n);
  observer.cleared();
};

template <class Observer, class Super>
class ObservedHeap : public Super {
  static_assert(Heap<Super>, "ObservedHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(HeapObserver<Observer>,
                "ObservedHeap: its Observer lacks some of kWantsSizes, gave, refused, takes, grew "
                "and cleared");
  static_assert(!FrontHeap<Super>,
                "ObservedHeap: realloc and calloc of its super-heap would pass it by; put it "
                "below");

 public:
  using Super::Super;

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    void* block = Super::malloc(bytes);
    if (MMT_UNLIKELY(block == nullptr)) {
      observer_.refused(bytes, 0);
    } else {
      observer_.gave(block, bytes, 0, size_of(block));
    }
    return block;
  }
  MMT_ALWAYS_INLINE Block allocate(size_t bytes, size_t alignment) requires AligningHeap<Super> {
    const Block block = Super::allocate(bytes, alignment);
    if (MMT_UNLIKELY(block.data == nullptr)) {
      observer_.refused(bytes, alignment);
    } else {
      observer_.gave(block.data, bytes, alignment, size_of(block.data));
    }
    return block;
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    observer_.takes(block, 0, size_of(block));
    Super::free(block);
  }
  MMT_ALWAYS_INLINE void free(void* block, size_t bytes) requires SizedFreeHeap<Super> {
    observer_.takes(block, bytes, size_of(block));
    Super::free(block, bytes);
  }
  MMT_ALWAYS_INLINE bool expand(void* block, size_t bytes) requires ResizableHeap<Super> {
    const size_t before = size_of(block);
    if (!Super::expand(block, bytes)) return false;
    observer_.grew(block, bytes, before, size_of(block));
    return true;
  }
  MMT_ALWAYS_INLINE void clear() requires ClearableHeap<Super> {
    Super::clear();
    observer_.cleared();
  }
  // Its own, so that layers which go into blocks by themselves do not take it for their heap.
  size_t get_size(const void* block) const requires SizedHeap<Super> {
    return Super::get_size(block);
  }

  // These would not be seen.
  void remap(void* block, size_t bytes) = delete;
  void* malloc_quickly(size_t bytes) = delete;
  bool free_quickly(void* block) = delete;

 protected:
  Observer& observer() { return observer_; }
  const Observer& observer() const { return observer_; }

 private:
  size_t size_of([[maybe_unused]] const void* block) const {
    if constexpr (Observer::kWantsSizes && SizedHeap<Super>) return Super::get_size(block);
    return 0;
  }

  Observer observer_;
};

}  // namespace mmt::layers
