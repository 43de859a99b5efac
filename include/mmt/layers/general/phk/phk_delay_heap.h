// Option F: freed blocks of PHKmalloc wait, filled with junk, at most kMostDelayed of them. If one
// is freed again meanwhile, or has been written to when its time comes, there is a warning. Which
// one goes when another comes is at random. Without F nothing waits; blocks of whole pages never
// do, as the heap below puts them out of reach.
#pragma once

#include <cstring>

#include <mmt/core/compiler.h>
#include <mmt/layers/general/phk/control_heap.h>
#include <mmt/layers/general/phk/junk.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

template <class Super>
class PhkDelayHeap : public Super {
  static_assert(PhkControlledHeap<Super>,
                "PhkDelayHeap: its super-heap has no options(); put PhkControl below it");
  static_assert(
      SizedHeap<Super> && AligningHeap<Super>,
      "PhkDelayHeap: its super-heap has no get_size(block) and allocate(size, alignment)");

 public:
  static constexpr size_t kMostDelayed = 16;

  using Super::Super;
  ~PhkDelayHeap() {
    if (has_delayed_) release_all();
  }

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    void* const block = Super::malloc(bytes);
    return MMT_LIKELY(block != nullptr || !has_delayed_) ? block : malloc_again(bytes);
  }
  Block allocate(size_t bytes, size_t alignment) {
    Block block = Super::allocate(bytes, alignment);
    if (block.data == nullptr && has_delayed_) {
      release_all();
      block = Super::allocate(bytes, alignment);
    }
    return block;
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    if (MMT_UNLIKELY(Super::options().freecheck)) return delay(block);
    Super::free(block);
  }

  // 0, and a warning: that is no block, or one that waits.
  size_t get_size(const void* block) const {
    if (MMT_UNLIKELY(is_delayed(block))) {
      Super::warn(kAlreadyFree);
      return 0;
    }
    return Super::get_size(block);
  }
  bool expand(void* block, size_t bytes) requires ResizableHeap<Super> {
    return get_size(block) != 0 && Super::expand(block, bytes);
  }
  void clear() requires ClearableHeap<Super> {
    for (void*& block : delayed_) block = nullptr;
    has_delayed_ = false;
    Super::clear();
  }

 private:
  static constexpr const char* kAlreadyFree = "chunk is already free";

  bool is_delayed(const void* block) const {
    if (MMT_LIKELY(!has_delayed_)) return false;
    for (const void* other : delayed_) {
      if (other == block) return true;
    }
    return false;
  }
  MMT_NOINLINE void delay(void* block) {
    const size_t size = get_size(block);
    if (size == 0) return;
    if (size > Super::kLargestChunk) return Super::free(block);
    std::memset(block, kPhkJunk, size);
    void*& place = delayed_[Super::random_below(kMostDelayed)];
    void* const before = place;
    place = block;
    has_delayed_ = true;
    if (before != nullptr) release(before);
  }
  void release(void* block) {
    if (!is_all(block, kPhkJunk, Super::get_size(block))) {
      Super::warn("chunk was written to after it was freed");
    }
    Super::free(block);
  }
  MMT_COLD void release_all() {
    for (void*& block : delayed_) {
      if (block != nullptr) release(block);
      block = nullptr;
    }
    has_delayed_ = false;
  }
  MMT_COLD void* malloc_again(size_t bytes) {
    release_all();
    return Super::malloc(bytes);
  }

  void* delayed_[kMostDelayed] = {};
  bool has_delayed_ = false;
};

using PhkDelay = Stage<PhkDelayHeap>;

}  // namespace mmt::layers
