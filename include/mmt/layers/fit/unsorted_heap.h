// This is the unsorted bin of Doug Lea's allocator (dlmalloc 2.7.0, 2001). A freed block stays in a
// list until a request has looked at it once.
// A request without a block of its very size in a bin goes through the list, oldest first. The
// request takes a block of its size. All others that it passed over go to their bins, where it
// searches then. The rest of a split for a small request is remembered. If nothing else is in the
// list, the next small request is cut off that rest. So blocks that are asked for together lie
// together.
#pragma once

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

template <class Super>
class UnsortedHeap : public Super {
  static_assert(HoldingHeap<Super>,
                "UnsortedHeap: its super-heap holds no free blocks by size: it has no find(bytes) "
                "and remove(block); put SegHeap or AdaptHeap below it");
  static_assert(SizedHeap<Super>, "UnsortedHeap: its super-heap has no get_size(block)");
  static_assert(!kIsOneSize<Super>, "UnsortedHeap: its super-heap is for one size alone");

 public:
  using Super::Super;
  ~UnsortedHeap() {
    if constexpr (!requires { requires Super::kEndsAll; }) {
      while (void* block = list_.take()) Super::free(block);
    }
  }

  void* malloc(size_t bytes) {
    void* block = find(bytes);
    return MMT_LIKELY(block != nullptr) ? block : Super::malloc(bytes);
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    Super::set_loose(block);
    list_.insert(block);
  }
  // What is left of a block that find(bytes) gave out.
  MMT_ALWAYS_INLINE void free_rest(void* block, size_t bytes) {
    if (is_small(bytes)) rest_ = block;
    free(block);
  }

  MMT_ALWAYS_INLINE void* find(size_t bytes) {
    if constexpr (kHasExact) {
      if (is_small(bytes)) {
        if (void* block = Super::find_exact(bytes); block != nullptr) return block;
      }
    }
    while (!list_.is_empty()) {
      void* block = list_.oldest();
      const size_t size = Super::get_size(block);
      if (block == rest_ && size > bytes && is_small(bytes) && list_.is_alone(block)) {
        list_.remove(block);
        return block;
      }
      list_.remove(block);
      if (size == bytes) return block;
      Super::free(block);
    }
    return Super::find(bytes);
  }

  void clear() requires ClearableHeap<Super> {
    list_.forget();
    Super::clear();
  }
  // visit(block) for each that is held; false where something is not as it should be.
  template <class Visit>
  bool for_each_held(Visit visit) const {
    return list_.for_each(visit) && Super::for_each_held(visit);
  }

 private:
  static constexpr bool kHasExact = requires(Super & heap) { heap.find_exact(size_t{}); };

  static bool is_small(size_t bytes) {
    if constexpr (kHasExact) return bytes <= Super::kLargestExact;
    return true;
  }

  DlList list_;
  void* rest_ = nullptr;
};

using Unsorted = Stage<UnsortedHeap>;

}  // namespace mmt::layers
