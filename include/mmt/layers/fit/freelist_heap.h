// Keeps freed blocks for the next requests, last in first out (the paper's Figure 2). All requests
// are for one size: debug builds check it.
#pragma once

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/free_list.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

namespace detail {

template <bool kOn>
struct OneSizeCheck {
  void see(size_t) {}
};
template <>
struct OneSizeCheck<true> {
  void see(size_t bytes) {
    if (first == 0) first = bytes;
    MMT_DEBUG_CHECK(bytes <= first, "FreelistHeap: a larger size than the first", bytes, first);
  }
  size_t first = 0;
};

}  // namespace detail

template <class Super>
class FreelistHeap : public Super {
  static_assert(!kIsFreeingYounger<Super>,
                "FreelistHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(Heap<Super>, "FreelistHeap: its super-heap has no malloc(size_t) and free(void*)");

 public:
  static constexpr bool kOneSize = true;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = true;

  using Super::Super;
  ~FreelistHeap() {
    while (!list_.is_empty()) Super::free(list_.pop());
  }

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    check_.see(bytes);
    if (MMT_LIKELY(!list_.is_empty())) return list_.pop();
    return Super::malloc(request_for(bytes));
  }
  MMT_ALWAYS_INLINE void free(void* block) { list_.push(block); }

  void clear() requires ClearableHeap<Super> {
    list_.forget();
    Super::clear();
  }
  // How many blocks it holds; a walk.
  size_t held() const { return list_.count(); }

  // A block of another alignment would be handed out again for one without.
  Block allocate(size_t bytes, size_t alignment) = delete;

  size_t good_size(size_t bytes) const requires GoodSizeHeap<Super> {
    return Super::good_size(request_for(bytes));
  }

 private:
  static constexpr size_t request_for(size_t bytes) {
    return bytes < FreeList::kLeastBlock ? FreeList::kLeastBlock : bytes;
  }

  FreeList list_;
  [[no_unique_address]] detail::OneSizeCheck<core::kDebugChecks> check_;
};

using Freelist = Stage<FreelistHeap>;

}  // namespace mmt::layers
