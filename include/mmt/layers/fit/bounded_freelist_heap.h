// As FreelistHeap, for at most kMost blocks: what is freed beyond goes to the super-heap.
#pragma once

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/free_list.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

template <size_t kMost, class Super>
class BoundedFreelistHeap : public Super {
  static_assert(
      !kIsFreeingYounger<Super>,
      "BoundedFreelistHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(Heap<Super>,
                "BoundedFreelistHeap: its super-heap has no malloc(size_t) and free(void*)");

 public:
  static constexpr bool kOneSize = true;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = false;

  using Super::Super;
  ~BoundedFreelistHeap() {
    while (!list_.is_empty()) Super::free(list_.pop());
  }

  void* malloc(size_t bytes) {
    if (MMT_LIKELY(held_ != 0)) {
      --held_;
      return list_.pop();
    }
    return Super::malloc(request_for(bytes));
  }
  void free(void* block) {
    if (MMT_UNLIKELY(held_ == kMost)) return Super::free(block);
    ++held_;
    list_.push(block);
  }

  void clear() requires ClearableHeap<Super> {
    list_.forget();
    held_ = 0;
    Super::clear();
  }
  size_t held() const { return held_; }
  Block allocate(size_t bytes, size_t alignment) = delete;  // as FreelistHeap's

  size_t good_size(size_t bytes) const requires GoodSizeHeap<Super> {
    return Super::good_size(request_for(bytes));
  }

 private:
  static constexpr size_t request_for(size_t bytes) {
    return bytes < FreeList::kLeastBlock ? FreeList::kLeastBlock : bytes;
  }

  FreeList list_;
  size_t held_ = 0;
};

template <size_t kMost>
struct BoundedFreelist {
  template <class Super>
  using Over = BoundedFreelistHeap<kMost, Super>;
};

}  // namespace mmt::layers
