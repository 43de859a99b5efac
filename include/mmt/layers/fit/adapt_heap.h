// This layer keeps freed blocks in a dictionary that lies within them, as DlList or SizeList (the
// paper's AdaptHeap). Any block can be taken out, by remove(). So the layer holds the free blocks
// of a coalescing heap, alone or as a bin of SegHeap. A dictionary that does not look at sizes is
// for one size. A dictionary has:
//   - Dictionary::kLeastBlock   bytes of a block that it uses
//   - Dictionary::kBySize       blocks have sizes, which get_size() of what insert() and take() are
//                               given tells
//   - insert, take, remove, is_empty, forget, for_each: see DlList and SizeList
#pragma once

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/dl_list.h>
#include <mmt/layers/header/boundary_tags.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

template <class D>
concept Dictionary = requires(D& dictionary, void* block) {
  { D::kLeastBlock } -> std::convertible_to<size_t>;
  { D::kBySize } -> std::convertible_to<bool>;
  { dictionary.is_empty() } -> std::same_as<bool>;
  dictionary.remove(block);
  dictionary.forget();
};

// A layer that holds free blocks: find(bytes) gives out one of them or null, and remove(block)
// takes out the one that is named. It must be the layer's own find().
template <class H>
concept HoldingHeap = Heap<H> && requires(H& heap, void* block) {
  { &H::find } -> std::same_as<void* (H::*)(size_t)>;
  heap.remove(block);
};

template <class Contents, class Super>
class AdaptHeap : public Super {
  static_assert(!kIsFreeingYounger<Super>,
                "AdaptHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(Heap<Super>, "AdaptHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(Dictionary<Contents>, "AdaptHeap: its dictionary lacks what adapt_heap.h lists");
  static_assert(!Contents::kBySize || SizedHeap<Super>,
                "AdaptHeap: its dictionary goes by size, and its super-heap has no "
                "get_size(block); put SizeHeap or CoalesceableHeap below it");

  static constexpr bool has_room() {
    if constexpr (!TaggedHeap<Super>) return true;
    if constexpr (TaggedHeap<Super>) {
      return Contents::kLeastBlock + Super::kWord <= Super::kLeastSize;
    }
  }
  static_assert(has_room(),
                "AdaptHeap: its dictionary does not lie within the least block of its super-heap, "
                "beside the boundary tag's foot; take it for the bins of a SegHeap of larger ones");

 public:
  static constexpr bool kOneSize = !Contents::kBySize;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = true;
  static constexpr size_t kLeastBlock = Contents::kLeastBlock;

  using Super::Super;
  ~AdaptHeap() {
    if constexpr (!requires { requires Super::kEndsAll; }) {
      while (void* block = find(0)) Super::free(block);
    }
  }

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    void* block = find(bytes);
    return MMT_LIKELY(block != nullptr) ? block
                                        : Super::malloc(bytes < kLeastBlock ? kLeastBlock : bytes);
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    if constexpr (Contents::kBySize) {
      contents_.insert(block, sizes());
    } else {
      contents_.insert(block);
    }
  }

  MMT_ALWAYS_INLINE void* find([[maybe_unused]] size_t bytes) {
    if constexpr (Contents::kBySize) {
      return contents_.take(bytes, sizes());
    } else {
      return contents_.take();
    }
  }
  void remove(void* block) { contents_.remove(block); }
  // The block is about to enter a DlList elsewhere; remove() takes it out of that too.
  static void set_loose(void* block) {
    if constexpr (requires { Contents::set_loose(block); }) Contents::set_loose(block);
  }
  bool is_empty() const { return contents_.is_empty(); }
  // visit(block) for each that is held; false at links that do not fit together.
  template <class Visit>
  bool for_each_held(Visit visit) const {
    return contents_.for_each(visit);
  }

  void free(void* block, size_t bytes) = delete;
  // Blocks that are held are given out as they are, whatever the super-heap makes of a request.
  size_t good_size(size_t bytes) const requires(Contents::kBySize || GoodSizeHeap<Super>) {
    if constexpr (!Contents::kBySize) return Super::good_size(bytes);
    if (bytes > kMaxRequest) return 0;
    return bytes < kLeastBlock ? kLeastBlock : bytes;
  }
  void clear() requires ClearableHeap<Super> {
    contents_.forget();
    Super::clear();
  }
  // A block of another alignment would be handed out again for one without.
  Block allocate(size_t bytes, size_t alignment) = delete;

 private:
  const Super& sizes() const { return *this; }

  Contents contents_;
};

template <class Contents>
struct Adapt {
  template <class Super>
  using Over = AdaptHeap<Contents, Super>;
};

}  // namespace mmt::layers
