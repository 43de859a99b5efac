// Splits blocks that are too large, and merges what is freed with the free blocks before and behind
// it at once (the paper's CoalesceHeap). Below it lie the blocks' boundary tags, CoalesceableHeap,
// and what holds the free ones, as SegHeap. No two free blocks are neighbours, the top included.
#pragma once

#include <cstdint>

#include <mmt/core/check.h>
#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/adapt_heap.h>
#include <mmt/layers/header/boundary_tags.h>
#include <mmt/layers/header/pieced_memory.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

// The layer's own malloc() calls reuse(), which gives a block of memory that the heap has, and
// grow() where reuse() gives null. The layer's merge() frees, and tells the size of the free block
// that comes of it.
template <class H>
concept CoalescingHeap = Heap<H> && requires(H& heap, size_t bytes) {
  { &H::reuse } -> std::same_as<void* (H::*)(size_t)>;
  { &H::merge } -> std::same_as<size_t (H::*)(void*)>;
  { heap.grow(bytes) } -> std::same_as<void*>;
  heap.trim_surplus();
};

template <class Super>
class CoalesceHeap : public Super {
  static_assert(
      TaggedHeap<Super>,
      "CoalesceHeap: its super-heap's blocks have no boundary tags by which to find their "
      "neighbours; put CoalesceableHeap below it");
  static_assert(HoldingHeap<Super>,
                "CoalesceHeap: its super-heap holds no free blocks from which one can be taken: it "
                "has no find(bytes) and remove(block); put SegHeap or AdaptHeap between "
                "CoalesceableHeap and it");
  static_assert(!kIsOneSize<Super>, "CoalesceHeap: its super-heap holds blocks of one size alone");

 public:
  // Layers above may lie above one that looks at what comes back.
  static constexpr bool kEndsAll = false;

  using Super::Super;

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    void* block = reuse(bytes);
    return MMT_LIKELY(block != nullptr) ? block : grow(bytes);
  }
  MMT_ALWAYS_INLINE void* reuse(size_t bytes) {
    if (MMT_UNLIKELY(bytes > kMaxRequest)) return nullptr;
    const size_t size = Super::size_for(bytes);
    void* block = Super::find(size);
    if (block == nullptr) return Super::carve(size);
    const size_t found = Super::get_size(block);
    if (found - size < Super::kLeastCut) {
      Super::mark_used(block, found);
      return block;
    }
    Super::word_of(block) = size;
    void* rest = Super::block_behind(block, size);
    Super::mark_rest(rest, found - size - Super::kWord);
    if constexpr (requires { Super::free_rest(rest, size); }) {
      Super::free_rest(rest, size);
    } else {
      Super::free(rest);
    }
    return block;
  }
  MMT_NOINLINE void* grow(size_t bytes) {
    if (bytes > kMaxRequest) return nullptr;
    void* block = Super::grow(Super::size_for(bytes));
    hold_retired();
    return block;
  }

  MMT_ALWAYS_INLINE void free(void* block) { merge(block); }
  // If the block joins the top, the result is all the top's bytes.
  MMT_ALWAYS_INLINE size_t merge(void* block) {
    MMT_DEBUG_CHECK(!Super::is_free(block), "CoalesceHeap: the block is free already",
                    reinterpret_cast<uintptr_t>(block));
    size_t size = Super::get_size(block);
    void* next = Super::block_behind(block, size);
    if (Super::is_previous_free(block)) {
      const size_t before = Super::foot_before(block);
      block = Super::previous_block(block);
      size += before + Super::kWord;
      Super::remove(block);
    }
    if (Super::is_free(next)) {
      if (Super::is_top(next)) {
        Super::merge_into_top(block);
        return Super::top_bytes();
      }
      size += Super::get_size(next) + Super::kWord;
      Super::remove(next);
    }
    Super::mark_free(block, size);
    Super::free(block);
    return size;
  }

  void free(void* block, size_t bytes) = delete;
  // Those above get blocks that are in use.
  void* find(size_t bytes) = delete;
  void remove(void* block) = delete;

  // Takes what it needs of a free block behind it, or of the top.
  bool expand(void* block, size_t bytes) {
    if (bytes > kMaxRequest) return false;
    const size_t size = Super::get_size(block);
    if (bytes <= size) return true;
    void* next = Super::block_behind(block, size);
    if (!Super::is_free(next)) return false;
    if (Super::is_top(next)) {
      const bool is_done = Super::expand(block, bytes);
      hold_retired();
      return is_done;
    }
    const size_t more = Super::get_size(next) + Super::kWord;
    if (size + more < bytes) return false;
    Super::remove(next);
    Super::mark_used(next, more - Super::kWord);
    Super::word_of(block) += more;
    cut(block, Super::size_for(bytes));
    return true;
  }

  // Not that of what holds the free blocks, which rounds up what it asks for itself.
  size_t good_size(size_t bytes) const { return bytes > kMaxRequest ? 0 : Super::size_for(bytes); }

  Block allocate(size_t bytes, size_t alignment) {
    if (bytes > kMaxRequest || alignment > kMaxRequest - bytes) return {};
    const bool is_plain = alignment <= Super::kAlignment;
    void* block = malloc(is_plain ? bytes : Super::size_for(bytes) + alignment + Super::kLeastCut);
    if (block == nullptr) return {};
    if (!is_plain) {
      block = cut_before(block, alignment);
      cut(block, Super::size_for(bytes));
    }
    return {block, Super::get_size(block)};
  }

  // Gives back what is free of the top, and pieces of which nothing is in use; whether there was
  // something.
  bool trim() {
    bool is_any = false;
    Super::trim_pieces([&](Piece* piece) {
      void* first = piece->first();
      if (!Super::is_free(first)) return false;
      if (!Super::is_top(first)) {
        if (Super::next_block(first) != piece->end()) return false;
        Super::remove(first);
      }
      return is_any = true;
    });
    return Super::trim_top(0) || is_any;
  }

 private:
  void hold_retired() {
    if (void* block = Super::take_retired(); block != nullptr) Super::free(block);
  }
  // Frees what a block in use has beyond that size, if a block can be made of it.
  void cut(void* block, size_t size) {
    const size_t surplus = Super::get_size(block) - size;
    if (surplus < Super::kLeastCut) return;
    Super::word_of(block) -= surplus;
    void* rest = Super::block_behind(block, size);
    Super::word_of(rest) = surplus - Super::kWord;
    merge(rest);
  }
  // Frees what lies before the first place of that alignment, if a block can be made of it.
  void* cut_before(void* block, size_t alignment) {
    const auto address = reinterpret_cast<uintptr_t>(block);
    size_t distance = core::align_up(address, alignment) - address;
    if (distance == 0) return block;
    if (distance < Super::kLeastCut) distance += alignment;
    void* placed = static_cast<char*>(block) + distance;
    Super::word_of(placed) = Super::get_size(block) - distance;
    Super::word_of(block) -= Super::get_size(placed) + Super::kWord;
    merge(block);
    return placed;
  }
};

using Coalesce = Stage<CoalesceHeap>;

}  // namespace mmt::layers
