// Boundary tags (Knuth, 1968), laid out as Doug Lea's: from any block its neighbours can be found.
//
//         |  word  | block ............................... |  word  | next block ...
//                  |<------------- get_size() ------------>|
//                    while it is free: links ...    | foot |
//
// A block's word holds its size, whether it is free, and whether the block before it is. The last
// word of a free block, its foot, repeats the size, for the block behind it to find its beginning.
// So a block in use costs one word, and the least block holds two links and a foot: 32 bytes on
// LP64, word included. Sizes are a word less than a multiple of the alignment.
//
// The topmost bit marks a word as a stranger's: nothing of this holds for that block.
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>

#include <mmt/core/checked.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

// This is a block's word. A block's owner may read the size while another thread, in the heap,
// notes that the block before it was freed. The accesses are relaxed, as the bits of the size stay.
class TagWord {
 public:
  operator size_t() const { return __atomic_load_n(&word_, __ATOMIC_RELAXED); }
  void operator=(size_t word) { __atomic_store_n(&word_, word, __ATOMIC_RELAXED); }
  void operator+=(size_t bytes) { *this = *this + bytes; }
  void operator-=(size_t bytes) { *this = *this - bytes; }
  void operator|=(size_t bits) { *this = *this | bits; }
  void operator&=(size_t bits) { *this = *this & bits; }

 private:
  size_t word_;
};

struct BoundaryTags {
  static constexpr bool kSharedSizes = true;
  static constexpr size_t kWord = sizeof(size_t);
  static constexpr size_t kBeside = kWord;
  static constexpr size_t kFree = 1;
  static constexpr size_t kPreviousFree = 2;
  static constexpr size_t kStranger = ~(std::numeric_limits<size_t>::max() >> 1);
  // The size of the least block; with its word, that is the least that can be cut off a block.
  static constexpr size_t kLeastSize = core::align_up(4 * kWord, kBlockAlignment) - kWord;
  static constexpr size_t kLeastCut = kLeastSize + kWord;

  // The size that a block for so many bytes has, at most kMaxRequest of them.
  static constexpr size_t size_for(size_t bytes) {
    const size_t least = bytes < kLeastSize ? kLeastSize : bytes;
    return core::align_up(least + kWord, kBlockAlignment) - kWord;
  }

  static TagWord& word_of(const void* block) {
    return static_cast<TagWord*>(const_cast<void*>(block))[-1];
  }
  static size_t get_size(const void* block) { return word_of(block) & ~(kFree | kPreviousFree); }
  static bool is_free(const void* block) { return (word_of(block) & kFree) != 0; }
  static bool is_previous_free(const void* block) { return (word_of(block) & kPreviousFree) != 0; }
  static bool is_stranger(const void* block) { return (word_of(block) & kStranger) != 0; }

  static void* block_behind(void* block, size_t size) {
    return static_cast<char*>(block) + size + kWord;
  }
  static void* next_block(void* block) { return block_behind(block, get_size(block)); }
  // That block is free.
  static void* previous_block(void* block) {
    return static_cast<char*>(block) - kWord - foot_before(block);
  }
  // The size of the block before this one, which is free.
  static size_t& foot_before(const void* block) {
    return static_cast<size_t*>(const_cast<void*>(block))[-2];
  }

  // Makes a block a free one of that size; those before and behind it are in use.
  static void mark_free(void* block, size_t size) {
    void* next = block_behind(block, size);
    word_of(block) = size | kFree;
    foot_before(next) = size;
    word_of(next) |= kPreviousFree;
  }
  // What a split leaves of a free block: the one behind it knows already.
  static void mark_rest(void* block, size_t size) {
    word_of(block) = size | kFree;
    foot_before(block_behind(block, size)) = size;
  }
  // A free block, whose neighbours therefore are in use, comes into use.
  static void mark_used(void* block, size_t size) {
    word_of(block) = size;
    word_of(block_behind(block, size)) &= ~kPreviousFree;
  }
};

namespace detail {

// Functions as types: compilers that instrument code do not compare addresses when they compile.
template <size_t (*kFunction)(const void*)>
struct SizeFunction {};

}  // namespace detail

// Its blocks are those that the tags lie at: no layer has moved them.
template <class H>
concept TaggedHeap = Heap<H> && std::derived_from<H, BoundaryTags> && requires {
  requires std::same_as<detail::SizeFunction<&H::get_size>,
                        detail::SizeFunction<&BoundaryTags::get_size>>;
};

}  // namespace mmt::layers
