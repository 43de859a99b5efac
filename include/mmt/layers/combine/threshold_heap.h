// This layer keeps small blocks as they are when they are freed, for requests of their sizes (the
// paper's ThresholdHeap; Lea's fastbins). A request of kLarge bytes makes the layer give all of
// them back to the super-heap, which may merge them. The layer also does so if memory would have to
// be taken from the system. It does so too if what is freed makes a free block of kMerged bytes.
// Classes are those of small blocks; see size_classes.h. BinStage keeps the blocks of one class.
#pragma once

#include <type_traits>

#include <mmt/core/compiler.h>
#include <mmt/layers/combine/served_classes.h>
#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/fit/coalesce_heap.h>
#include <mmt/layers/header/boundary_tags.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/null_heap.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <size_t kLarge, class Classes, class BinStage, class Super>
class ThresholdHeap : public Super {
  static_assert(!kIsOneSize<Super>, "ThresholdHeap: its super-heap serves one size alone");
  static_assert(
      !kIsFreeingYounger<Super>,
      "ThresholdHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(SizeClasses<Classes>,
                "ThresholdHeap: Classes has no kCount, kLargest, of(), floor_of() and size()");
  static_assert(Classes::kLargest < kLarge, "ThresholdHeap: a small block is a large request");
  static_assert(SizedHeap<Super>,
                "ThresholdHeap: its super-heap has no get_size(block) by which to find a freed "
                "block's class; put SizeHeap or CoalesceHeap below it");

  using Bin = typename BinStage::template Over<NullHeap>;
  static_assert(Heap<Bin> && kIsKeepingAll<Bin>,
                "ThresholdHeap: its bins do not keep all that is freed; take Freelist");
  static_assert(kLeastBlockOf<Bin> <= Classes::size(0),
                "ThresholdHeap: its bins need more of a free block than the least class has; take "
                "Freelist, or larger classes");

 public:
  static constexpr bool kOneSize = false;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = false;
  static constexpr size_t kMerged = size_t{64} << 10;
  // Every size that blocks have is the size of a class.
  static constexpr bool kIsExact = TaggedHeap<Super> && requires { Classes::kExact; };

  using Super::Super;
  ~ThresholdHeap() { release(); }

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(bytes > Classes::kLargest)) return malloc_other(bytes);
    void* block = bins_[Classes::of(bytes)].malloc(Classes::size(Classes::of(bytes)));
    return MMT_LIKELY(block != nullptr) ? block : malloc_other(bytes);
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    const size_t size = Super::get_size(block);
    if (MMT_UNLIKELY(size > Classes::kLargest)) return free_other(block);
    is_keeping_ = true;
    bins_[Classes::floor_of(size)].free(block);
  }
  void free(void* block, size_t bytes) = delete;

  // Gives a block of memory that the heap has; null where it would have to take some.
  void* reuse(size_t bytes) requires CoalescingHeap<Super> {
    if (bytes >= kLarge) release();
    return Super::reuse(bytes);
  }

  // Gives all that is kept to the super-heap; whether there was something.
  bool release() {
    if (!is_keeping_) return false;
    release_all();
    return true;
  }
  bool trim() requires requires(Super& heap) { heap.trim(); }
  {
    release();
    return Super::trim();
  }

  Block allocate(size_t bytes, size_t alignment) requires AligningHeap<Super> {
    const size_t request = request_for(bytes);
    const Block block = Super::allocate(request, alignment);
    return block.data != nullptr || !release() ? block : Super::allocate(request, alignment);
  }
  // Elsewhere a block may be one that was taken for less, and has just the size of its class.
  size_t good_size(size_t bytes) const requires GoodSizeHeap<Super> {
    const size_t request = request_for(bytes);
    return kIsExact || bytes > Classes::kLargest ? Super::good_size(request) : request;
  }
  void clear() requires ClearableHeap<Super> {
    for (Bin& bin : bins_) bin.clear();
    is_keeping_ = false;
    Super::clear();
  }
  // To the super-heap, what is kept is in use.
  Usage usage() requires requires(Super& heap) { heap.usage(); }
  {
    Usage all = Super::usage();
    for (size_t c = 0; c != Classes::kCount; ++c) {
      all.free_blocks += bins_[c].held();
      all.free_bytes += bins_[c].held() * (Classes::size(c) + kBesideOf<Super>);
    }
    return all;
  }

 private:
  // So that the block, when it is freed, goes to the bin that serves this request.
  static constexpr size_t request_for(size_t bytes) {
    if (kIsExact || bytes > Classes::kLargest) return bytes;
    return Classes::size(Classes::of(bytes));
  }

  // Out of line, and as the last thing that malloc does, so that it needs no stack frame.
  MMT_NOINLINE void* malloc_other(size_t bytes) {
    if (bytes >= kLarge) release();
    const size_t request = request_for(bytes);
    void* block = nullptr;
    if constexpr (!kIsExact) block = take_larger(bytes);
    if (block == nullptr) block = take_below(request);
    if (MMT_UNLIKELY(block == nullptr)) block = malloc_last(request);
    if constexpr (!kIsExact) {
      if (block != nullptr && bytes <= Classes::kLargest) {
        served_.note(Classes::of(bytes), Super::get_size(block));
      }
    }
    return block;
  }
  void* take_below(size_t request) {
    if constexpr (CoalescingHeap<Super>) return Super::reuse(request);
    return Super::malloc(request);
  }
  void* take_larger(size_t bytes) {
    if (bytes > Classes::kLargest) return nullptr;
    return served_.search(Classes::of(bytes),
                          [&](size_t k) { return bins_[k].malloc(Classes::size(k)); });
  }
  MMT_NOINLINE void* malloc_last(size_t request) {
    if (release()) {
      if (void* block = take_below(request); block != nullptr) return block;
    }
    if constexpr (CoalescingHeap<Super>) return Super::grow(request);
    return nullptr;
  }
  MMT_NOINLINE void free_other(void* block) {
    if constexpr (CoalescingHeap<Super>) {
      if (MMT_LIKELY(Super::merge(block) < kMerged)) return;
      release();
      Super::trim_surplus();
    } else {
      Super::free(block);
    }
  }

  MMT_NOINLINE void release_all() {
    is_keeping_ = false;
    for (Bin& bin : bins_) {
      while (void* block = bin.malloc(0)) Super::free(block);
    }
  }

  struct Nothing {};

  Bin bins_[Classes::kCount];
  [[no_unique_address]] std::conditional_t<kIsExact, Nothing, ServedClasses<Classes>> served_;
  bool is_keeping_ = false;  // perhaps
};

template <size_t kLarge, class Classes, class BinStage>
struct Threshold {
  template <class Super>
  using Over = ThresholdHeap<kLarge, Classes, BinStage, Super>;
};

}  // namespace mmt::layers
