// This layer serves requests of at most kLimit bytes from a small heap, which takes its blocks from
// the super-heap (the paper's HybridHeap). The super-heap itself serves larger requests. SmallStage
// hands out the super-heap's blocks as they are, and keeps those that are freed, as Freelist does.
// A small heap for one size is asked for kLimit bytes.
//
// All blocks are the super-heap's, so either heap can take back any of them that is large enough.
// Sizes decide which heap does, and an error of theirs costs time alone. Super-heaps may give more
// than was asked for. A block that is larger than kLimit by up to kSlack bytes may be a small one.
// Requests for such sizes are raised beyond them, so that the small heap does not collect their
// blocks.
#pragma once

#include <concepts>

#include <mmt/core/compiler.h>
#include <mmt/layers/adapt/ref_heap.h>
#include <mmt/layers/combine/lending_heap.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <size_t kLimit, class SmallStage, class Super>
class HybridHeap : public Super {
  static_assert(!kIsFreeingYounger<Super>,
                "HybridHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(SizedHeap<Super>,
                "HybridHeap: its super-heap has no get_size(block) by which to tell small blocks "
                "from large ones; put SizeHeap below it");
  static_assert(!kIsOneSize<Super>, "HybridHeap: its super-heap serves one size only");
  using Small = typename SmallStage::template Over<RefHeap<Super>>;
  static_assert(Heap<Small>, "HybridHeap: the small heap has no malloc(size_t) and free(void*)");
  static_assert(LendingHeap<Small, RefHeap<Super>>,
                "HybridHeap: the small heap's blocks are not those of the super-heap, as it has no "
                "sizes, or sizes of its own; take Freelist, or SelectHeap");
  static_assert(kLimit > 0 && kLimit <= kMaxRequest / 2, "HybridHeap: kLimit is no size");

 public:
  static constexpr bool kOneSize = false;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = false;
  static constexpr size_t kSlack = kLimit / 4 + 64;

  constexpr HybridHeap() : small_(*this) {}
  // It lies over a heap that refers to another, as RefHeap.
  template <class Target>
  requires std::constructible_from<Super, Target&>
  constexpr explicit HybridHeap(Target& target) : Super(target), small_(*this) {}
  HybridHeap(const HybridHeap&) = delete;
  HybridHeap& operator=(const HybridHeap&) = delete;

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(bytes > kLimit)) return Super::malloc(raised(bytes));
    return small_.malloc(kIsOneSize<Small> ? kLimit : bytes);
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    if (MMT_UNLIKELY(Super::get_size(block) > largest_small())) return Super::free(block);
    small_.free(block);
  }

  void clear() requires ClearableHeap<Super> && ClearableHeap<Small> {
    small_.clear();
    Super::clear();
  }
  // What the small heap holds is free.
  Usage usage() requires kIsOneSize<Small> && requires(Super& super, Small& small) {
    super.usage(), small.held();
  }
  {
    Usage all = Super::usage();
    all.free_blocks += small_.held();
    all.free_bytes += small_.held() * (kLimit + kBesideOf<Super>);
    return all;
  }
  void* remap(void* block, size_t bytes) = delete;  // would make blocks smaller than kLimit
  size_t good_size(size_t bytes) const {
    if (bytes > kMaxRequest) return 0;
    const size_t request = bytes > kLimit ? raised(bytes) : kIsOneSize<Small> ? kLimit : bytes;
    if constexpr (GoodSizeHeap<Super>) return Super::good_size(request);
    return request;
  }
  // As a large block, whose alignment no other request would need.
  Block allocate(size_t bytes, size_t alignment) requires AligningHeap<Super> {
    return Super::allocate(bytes > largest_small() ? bytes : largest_small() + 1, alignment);
  }

 private:
  size_t largest_small() const {
    if constexpr (GoodSizeHeap<Super>) {
      const size_t good = Super::good_size(kLimit);
      if (good <= kLimit + kSlack) return good;
    }
    return kLimit + kSlack;
  }
  size_t raised(size_t bytes) const {
    return bytes > largest_small() ? bytes : largest_small() + 1;
  }

  // Ends before the super-heap does, which gets back what it holds.
  Small small_;
};

template <size_t kLimit, class SmallStage>
struct Hybrid {
  template <class Super>
  using Over = HybridHeap<kLimit, SmallStage, Super>;
};

}  // namespace mmt::layers
