// Strict segregated fits (the paper's Figure 5): a bin for each size class, whose blocks serve that
// class alone. A bin without a block takes one from the super-heap; larger requests go there too.
// Classes: see size_classes.h. BinStage: what keeps the free blocks of one class, as Freelist.
#pragma once

#include <concepts>

#include <mmt/core/compiler.h>
#include <mmt/layers/combine/bins.h>
#include <mmt/layers/combine/served_classes.h>
#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <class Classes, class BinStage, class Super>
class StrictSegHeap : public Super {
  static_assert(!kIsOneSize<Super>, "StrictSegHeap: its super-heap serves one size alone");
  static_assert(
      !kIsFreeingYounger<Super>,
      "StrictSegHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(SizeClasses<Classes>,
                "StrictSegHeap: Classes has no kCount, kLargest, of(), floor_of() and size()");
  static_assert(SizedHeap<Super>,
                "StrictSegHeap: its super-heap has no get_size(block) by which to find a freed "
                "block's class; put SizeHeap below it");
  static_assert(kLeastBlockOf<typename Bins<1, BinStage, Super>::Bin> <= Classes::size(0),
                "StrictSegHeap: its bins need more of a free block than the least class has; take "
                "Freelist, or larger classes");

 public:
  static constexpr bool kOneSize = false;
  static constexpr bool kContiguous = false;

  constexpr StrictSegHeap() : bins_(*this) {}
  // It lies over a heap that refers to another, as RefHeap.
  template <class Target>
  requires std::constructible_from<Super, Target&>
  constexpr explicit StrictSegHeap(Target& target) : Super(target), bins_(*this) {}

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(bytes > Classes::kLargest)) return malloc_other(bytes);
    const size_t c = Classes::of(bytes);
    // Bins that check what they are asked for see the one size they are for.
    void* block = bins_[c].malloc(core::kDebugChecks ? Classes::size(c) : bytes);
    return MMT_LIKELY(block != nullptr) ? block : malloc_other(bytes);
  }

  MMT_ALWAYS_INLINE void free(void* block) {
    const size_t size = size_or_word(block);
    // Also what lies within a larger block, whose word is no size.
    if (MMT_UNLIKELY(size > Classes::kLargest)) return free_other(block);
    bins_[Classes::floor_of(size)].free(block);
  }

  void clear() requires ClearableHeap<Super> {
    bins_.clear();
    Super::clear();
  }

  size_t good_size(size_t bytes) const {
    if (bytes <= Classes::kLargest) return Classes::size(Classes::of(bytes));
    if constexpr (GoodSizeHeap<Super>) return Super::good_size(bytes);
    return bytes > kMaxRequest ? 0 : bytes;
  }

  // What the bins hold is free.
  Usage usage() requires requires(Super& super) { super.usage(); }
  {
    Usage all = Super::usage();
    for (size_t c = 0; c < Classes::kCount; ++c) {
      const size_t held = bins_[c].held();
      all.free_blocks += held;
      all.free_bytes += held * (Classes::size(c) + kBesideOf<Super>);
    }
    return all;
  }

  Block allocate(size_t bytes, size_t alignment) requires requires(void* block) {
    Super::place_within(block, size_t{});
  }
  {
    if (bytes > kMaxRequest || alignment > kMaxRequest - bytes) return {};
    const bool is_plain = alignment <= Super::kAlignment;
    void* block = malloc(is_plain ? bytes : bytes + alignment);
    if (block == nullptr) return {};
    return is_plain ? Block{block, Super::get_size(block)} : Super::place_within(block, alignment);
  }

 private:
  static constexpr bool kHasWords = requires(void* block) { Super::base_of(block); };

  // Out of line, and the last thing that malloc does, so that that needs no stack frame.
  MMT_NOINLINE void* malloc_other(size_t bytes) {
    if (bytes > Classes::kLargest) return Super::malloc(bytes);
    const size_t c = Classes::of(bytes);
    void* block = served_.search(c, [&](size_t k) { return bins_[k].malloc(Classes::size(k)); });
    if (block != nullptr) return block;
    block = Super::malloc(Classes::size(c));
    if (block != nullptr) served_.note(c, Super::get_size(block));
    return block;
  }

  size_t size_or_word(const void* block) {
    if constexpr (kHasWords) return Super::size_word(block);
    return Super::get_size(block);
  }
  MMT_NOINLINE void free_other(void* block) {
    if constexpr (kHasWords) {
      if (void* base = Super::base_of(block); base != block) return free(base);
    }
    Super::free(block);
  }

  ServedClasses<Classes> served_;
  // Ends before the super-heap does, which gets back what the bins hold.
  Bins<Classes::kCount, BinStage, Super> bins_;
};

template <class Classes, class BinStage>
struct StrictSeg {
  template <class Super>
  using Over = StrictSegHeap<Classes, BinStage, Super>;
};

}  // namespace mmt::layers
