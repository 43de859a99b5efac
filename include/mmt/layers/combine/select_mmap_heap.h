// This layer sends requests of kThreshold bytes and more to a heap of their own, unless the
// super-heap has memory enough for them. That heap returns blocks to the system when they are freed
// (the paper's SelectMmapHeap). The super-heap also serves what that heap refuses. A block's word
// tells which heap has it. The words of large blocks are strangers among the boundary tags, and say
// where the large heap's block begins. If kMost is above kThreshold, a freed large block of at most
// kMost bytes raises the threshold to its size, as such blocks come again. (glibc does this, Lea
// 2.7.0 does not.)
#pragma once

#include <concepts>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/header/boundary_tags.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/source/address_set.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <size_t kThreshold, size_t kMost, class LargeHeap, class Super>
class SelectMmapHeap : public Super {
  static_assert(FullyAlignedHeap<LargeHeap> && SizedHeap<LargeHeap>,
                "SelectMmapHeap: the heap for large blocks has no malloc, free and get_size, or "
                "its blocks are not aligned; take MmapHeap");
  static_assert(TaggedHeap<Super>,
                "SelectMmapHeap: its super-heap's blocks have no boundary tags by which to tell "
                "them from large ones; put CoalesceableHeap below it");

 public:
  static constexpr bool kKeepsAll = false;
  static constexpr bool kSharedSizes = kHasSharedSizes<Super> && kHasSharedSizes<LargeHeap>;
  static constexpr bool kSharedOwns = false;

  using Super::Super;
  ~SelectMmapHeap() { free_all(); }

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(bytes >= kThreshold)) return malloc_large(bytes);
    return Super::malloc(bytes);
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    if (MMT_UNLIKELY(Super::is_stranger(block))) return free_large(block);
    Super::free(block);
  }
  void free(void* block, size_t bytes) = delete;

  size_t get_size(const void* block) const {
    if (MMT_LIKELY(!Super::is_stranger(block))) return Super::get_size(block);
    return large_.get_size(base_of(block)) - distance_of(block);
  }
  MMT_ALWAYS_INLINE bool owns(const void* address) const requires OwningHeap<Super> {
    return Super::owns(address) || is_in_large(address);
  }
  bool expand(void* block, size_t bytes) requires ResizableHeap<Super> {
    if (!Super::is_stranger(block)) return Super::expand(block, bytes);
    if (bytes <= get_size(block)) return true;
    if constexpr (ResizableHeap<LargeHeap>) {
      return bytes <= kMaxRequest && large_.expand(base_of(block), bytes + distance_of(block));
    }
    return false;
  }
  // Moves the pages of a large block rather than to copy: its place, or null, and it is as it was.
  void* remap(void* block, size_t bytes) requires requires(LargeHeap& large) {
    large.remap(block, bytes);
  }
  {
    if (!Super::is_stranger(block) || bytes > kMaxRequest) return nullptr;
    const size_t distance = distance_of(block);
    void* base = large_.remap(base_of(block), Super::size_for(bytes) + distance);
    if (base == nullptr) return nullptr;
    void* moved = static_cast<char*>(base) + distance;
    if (moved == block) return block;
    blocks_.erase(block);
    static_cast<void>(blocks_.insert(moved));  // there is room: one has just been taken out
    return moved;
  }

  Block allocate(size_t bytes, size_t alignment) requires AligningHeap<Super> {
    if (bytes > kMaxRequest || alignment > kMaxRequest - bytes) return {};
    if (bytes + alignment >= threshold_) {
      void* block = place_large(bytes, alignment);
      if (block != nullptr) return {block, get_size(block)};
    }
    return Super::allocate(bytes, alignment);
  }

  // Whether the heap for large blocks gets any request from now on (mallopt's M_MMAP_MAX).
  void use_large_heap(bool is_used) { threshold_ = is_used ? kThreshold : SIZE_MAX; }

  void clear() requires ClearableHeap<Super> {
    free_all();
    blocks_.forget();
    Super::clear();
  }
  Usage usage() requires requires(Super& heap) { heap.usage(); }
  {
    Usage all = Super::usage();
    blocks_.for_each([&](const void* block) { all.mapped_bytes += get_size(block); });
    all.mapped_blocks += blocks_.count();
    return all;
  }

 private:
  static constexpr size_t kHeader = kBlockAlignment;

  static size_t distance_of(const void* block) { return Super::word_of(block) & ~Super::kStranger; }
  static void* base_of(const void* block) {
    return static_cast<char*>(const_cast<void*>(block)) - distance_of(block);
  }

  MMT_NOINLINE bool is_in_large(const void* address) const {
    const void* const block = blocks_.floor(address);
    return block != nullptr && address < static_cast<const char*>(block) + get_size(block);
  }
  MMT_NOINLINE void* malloc_large(size_t bytes) {
    if (bytes < threshold_) return Super::malloc(bytes);
    if (bytes > kMaxRequest) return nullptr;
    if constexpr (requires {
                    { &Super::reuse } -> std::same_as<void* (Super::*)(size_t)>;
                  }) {
      if (void* block = Super::reuse(bytes); block != nullptr) return block;
    }
    void* block = place_large(bytes, kHeader);
    return block != nullptr ? block : Super::malloc(bytes);
  }
  void* place_large(size_t bytes, size_t alignment) {
    const size_t distance = alignment > kHeader ? alignment : kHeader;
    void* base = take_large(Super::size_for(bytes) + distance, distance);
    if (base == nullptr) return nullptr;
    void* block = static_cast<char*>(base) + distance;
    Super::word_of(block) = distance | Super::kStranger;
    if (blocks_.insert(block)) return block;
    large_.free(base);
    return nullptr;
  }
  void* take_large(size_t bytes, size_t alignment) {
    if (alignment <= LargeHeap::kAlignment) return large_.malloc(bytes);
    if constexpr (AligningHeap<LargeHeap>) return large_.allocate(bytes, alignment).data;
    return nullptr;
  }
  MMT_NOINLINE void free_large(void* block) {
    const size_t size = get_size(block);
    if (size >= threshold_ && size < kMost) {
      threshold_ = size + 1;
      if constexpr (requires { Super::set_trim_threshold(size); }) {
        Super::set_trim_threshold(2 * size);
      }
    }
    blocks_.erase(block);
    large_.free(base_of(block));
  }
  void free_all() {
    blocks_.for_each([&](const void* block) { large_.free(base_of(block)); });
  }

  size_t threshold_ = kThreshold;
  [[no_unique_address]] LargeHeap large_;
  AddressSet blocks_;
};

template <size_t kThreshold, class LargeHeap, size_t kMost = kThreshold>
struct SelectMmap {
  template <class Super>
  using Over = SelectMmapHeap<kThreshold, kMost, LargeHeap, Super>;
};

}  // namespace mmt::layers
