// This layer consists of two heaps with memory of their own. Requests of at most kLimit bytes go to
// the small heap. Larger requests, and those that the small heap refuses, go to the super-heap. The
// heap that owns a block's address takes the block back. The layer is as thread-safe as both heaps
// are.
#pragma once

#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <size_t kLimit, class SmallHeap, class Super>
class SelectHeap : public Super {
  static_assert(Heap<Super>, "SelectHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(Heap<SmallHeap>,
                "SelectHeap: the small heap has no malloc(size_t) and free(void*)");
  static_assert(OwningHeap<SmallHeap> || OwningHeap<Super>,
                "SelectHeap: neither the small heap nor the super-heap has owns(address) by which "
                "to tell their blocks apart; take one over ChunkHeap, or MappedHeap");
  static_assert(Super::kSkew == 0 && SmallHeap::kSkew == 0,
                "SelectHeap: the blocks of one of its heaps are skewed");
  static_assert(!kIsOneSize<Super>, "SelectHeap: its super-heap serves one size only");

 public:
  static constexpr size_t kAlignment =
      Super::kAlignment < SmallHeap::kAlignment ? Super::kAlignment : SmallHeap::kAlignment;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = false;
  static constexpr bool kSharedSizes = false;  // owns() may not be called meanwhile
  static constexpr bool kSharedOwns = false;

  using Super::Super;

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(bytes > kLimit)) return Super::malloc(bytes);
    void* const block = small_.malloc(request_for(bytes));
    return MMT_LIKELY(block != nullptr) ? block : Super::malloc(bytes);
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    if (is_small(block)) return small_.free(block);
    Super::free(block);
  }

  size_t get_size(const void* block) const requires SizedHeap<SmallHeap> && SizedHeap<Super> {
    return is_small(block) ? small_.get_size(block) : Super::get_size(block);
  }
  bool owns(const void* address) const requires OwningHeap<SmallHeap> && OwningHeap<Super> {
    return small_.owns(address) || Super::owns(address);
  }
  bool expand(void* block, size_t bytes) requires ResizableHeap<SmallHeap> || ResizableHeap<Super> {
    if (is_small(block)) {
      if constexpr (ResizableHeap<SmallHeap>) return small_.expand(block, bytes);
      return false;
    }
    if constexpr (ResizableHeap<Super>) return Super::expand(block, bytes);
    return false;
  }
  // The small heap's blocks have none.
  void* remap(void* block, size_t bytes) = delete;
  static size_t size_word(const void* block) = delete;
  static void* base_of(void* block) = delete;
  static Block place_within(void* block, size_t alignment) = delete;
  // Either may serve a small request.
  size_t good_size(size_t bytes) const requires GoodSizeHeap<SmallHeap> && GoodSizeHeap<Super> {
    const size_t good = Super::good_size(bytes);
    if (bytes > kLimit) return good;
    const size_t small = small_.good_size(request_for(bytes));
    return small < good ? small : good;
  }
  void clear() requires ClearableHeap<SmallHeap> && ClearableHeap<Super> {
    small_.clear();
    Super::clear();
  }
  Block allocate(size_t bytes, size_t alignment) requires AligningHeap<Super> {
    if constexpr (AligningHeap<SmallHeap>) {
      if (bytes <= kLimit) {
        const Block block = small_.allocate(request_for(bytes), alignment);
        if (block.data != nullptr) return block;
      }
    }
    return Super::allocate(bytes, alignment);
  }
  Usage usage() requires requires(SmallHeap& small, Super& super) { small.usage(), super.usage(); }
  {
    Usage all = Super::usage();
    const Usage small = small_.usage();
    all.system_bytes += small.system_bytes;
    all.free_bytes += small.free_bytes;
    all.free_blocks += small.free_blocks;
    all.mapped_bytes += small.mapped_bytes;
    all.mapped_blocks += small.mapped_blocks;
    return all;
  }

 private:
  static constexpr size_t request_for(size_t bytes) {
    return kIsOneSize<SmallHeap> ? kLimit : bytes;
  }
  MMT_ALWAYS_INLINE bool is_small(const void* block) const {
    if constexpr (OwningHeap<SmallHeap>) {
      return small_.owns(block);
    } else {
      return !Super::owns(block);
    }
  }

  SmallHeap small_;
};

template <size_t kLimit, class SmallHeap>
struct Select {
  template <class Super>
  using Over = SelectHeap<kLimit, SmallHeap, Super>;
};

}  // namespace mmt::layers
