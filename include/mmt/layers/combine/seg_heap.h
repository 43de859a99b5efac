// Segregated fits (the paper's SegHeap) have a bin of free blocks for each size class. A request is
// served from the first bin, from its own on, that has a block for it. A map tells which bins may
// have one. The super-heap has to serve what is larger than Classes::kLargest.
// Bins are AdaptHeaps. If their dictionary goes by size, the search begins with the class that the
// size lies in. Otherwise the search begins with the first class all of whose blocks are large
// enough.
#pragma once

#include <mmt/core/compiler.h>
#include <mmt/layers/combine/bin_map.h>
#include <mmt/layers/combine/size_classes.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/header/boundary_tags.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/null_heap.h>

namespace mmt::layers {

template <class H>
concept StaticallySizedHeap = Heap<H> && requires(const void* block) {
  { H::get_size(block) } -> std::same_as<size_t>;
};

template <class Classes, class BinStage, class Super>
class SegHeap : public Super {
  static_assert(!kIsOneSize<Super>, "SegHeap: its super-heap serves one size alone");
  static_assert(!kIsFreeingYounger<Super>,
                "SegHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(SizeClasses<Classes>,
                "SegHeap: Classes has no kCount, kLargest, of(), floor_of() and size()");
  static_assert(StaticallySizedHeap<Super>,
                "SegHeap: its super-heap has no static get_size(block) by which to find a freed "
                "block's class; put SizeHeap or CoalesceableHeap below it");

  // Below a bin: nothing but the sizes of blocks.
  struct Sizes : NullHeap {
    static constexpr bool kEndsAll = true;
    static size_t get_size(const void* block) { return Super::get_size(block); }
  };
  using Bin = typename BinStage::template Over<Sizes>;
  static_assert(HoldingHeap<Bin>,
                "SegHeap: its bins have no find(bytes) and remove(block); take "
                "Adapt<DlList> or Adapt<SizeList>");

  static constexpr bool kBySize = !kIsOneSize<Bin>;
  // The dictionary lies within the blocks that are held, and so does the foot of a boundary tag.
  static constexpr size_t kRoom = Bin::kLeastBlock + (TaggedHeap<Super> ? sizeof(size_t) : 0);
  static constexpr size_t kSmallest = Classes::size(0) > kRoom ? Classes::size(0) : kRoom;

 public:
  static constexpr bool kOneSize = false;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = false;
  // The largest request that find_exact() takes.
  static constexpr size_t kLargestExact = Classes::kLargest;

  using Super::Super;
  ~SegHeap() {
    if constexpr (!requires { requires Super::kEndsAll; }) {
      for (Bin& bin : bins_) {
        while (void* block = bin.find(0)) Super::free(block);
      }
    }
  }

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    void* block = find(bytes);
    return MMT_LIKELY(block != nullptr) ? block : Super::malloc(request_for(bytes));
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    const size_t size = Super::get_size(block);
    if (MMT_UNLIKELY(!is_held(size))) return Super::free(block);
    const size_t c = Classes::floor_of(size);
    bins_[c].free(block);
    map_.set(c);
  }
  void free(void* block, size_t bytes) = delete;

  // A block that is held; null where none is large enough.
  MMT_ALWAYS_INLINE void* find(size_t bytes) {
    if (bytes <= Classes::kLargest) {
      void* block = map_.search(first_class(bytes), [&](size_t c) {
        void* found = bins_[c].find(bytes);
        if (found == nullptr && bins_[c].is_empty()) map_.reset(c);
        return found;
      });
      if (block != nullptr) return block;
    }
    if constexpr (HoldingHeap<Super>) return Super::find(bytes);
    return nullptr;
  }
  // One of exactly the size of its class; where all blocks of a bin have one size. Null: none is
  // held.
  MMT_ALWAYS_INLINE void* find_exact(size_t bytes) requires requires { Classes::kExact; }
  { return bins_[Classes::of(bytes)].find(bytes); }

  // The block is held, or set_loose() was called for it.
  MMT_ALWAYS_INLINE void remove(void* block) {
    const size_t size = Super::get_size(block);
    if (is_held(size)) return bins_[Classes::floor_of(size)].remove(block);
    if constexpr (requires { Super::remove(block); }) Super::remove(block);
  }
  // The block is about to enter a DlList elsewhere; remove() takes it out of that too.
  MMT_ALWAYS_INLINE static void set_loose(void* block) {
    if (is_held(Super::get_size(block))) return Bin::set_loose(block);
    if constexpr (requires { Super::set_loose(block); }) Super::set_loose(block);
  }

  size_t good_size(size_t bytes) const {
    if (bytes > kMaxRequest) return 0;
    if constexpr (GoodSizeHeap<Super>) return Super::good_size(request_for(bytes));
    return request_for(bytes);
  }
  void clear() requires ClearableHeap<Super> {
    for (Bin& bin : bins_) bin.clear();
    map_.reset();
    Super::clear();
  }

  // visit(block) for each that is held; false where something is not as it should be.
  template <class Visit>
  bool for_each_held(Visit visit) const {
    bool is_right = true;
    for (size_t c = 0; c != Classes::kCount; ++c) {
      is_right &= bins_[c].for_each_held([&](void* block) {
        const size_t size = Super::get_size(block);
        is_right &= map_.test(c) && is_held(size) && Classes::floor_of(size) == c;
        visit(block);
      });
    }
    if constexpr (HoldingHeap<Super>) is_right &= Super::for_each_held(visit);
    return is_right;
  }

 private:
  static constexpr bool is_held(size_t size) {
    if constexpr (TaggedHeap<Super>) {
      if constexpr (Super::kLeastSize >= kSmallest) return size <= Classes::kLargest;
    }
    return size >= kSmallest && size <= Classes::kLargest;
  }
  static constexpr size_t first_class(size_t bytes) {
    if constexpr (!kBySize) return Classes::of(bytes);
    return bytes < Classes::size(0) ? 0 : Classes::floor_of(bytes);
  }
  // So that the block, when it is freed, goes to a bin that serves this request.
  static constexpr size_t request_for(size_t bytes) {
    const size_t least = bytes < kRoom ? kRoom : bytes;
    if constexpr (kBySize) return least;
    return least > Classes::kLargest ? least : Classes::size(Classes::of(least));
  }

  Bin bins_[Classes::kCount];
  BinMap<Classes::kCount> map_;
};

template <class Classes, class BinStage>
struct Seg {
  template <class Super>
  using Over = SegHeap<Classes, BinStage, Super>;
};

}  // namespace mmt::layers
