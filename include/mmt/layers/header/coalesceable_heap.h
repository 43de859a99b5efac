// This layer gives blocks boundary tags, so that layers above can split and merge them (the paper's
// CoalesceableHeap). Blocks are cut off the top, which is what is left of the last piece of memory.
// A contiguous super-heap makes the top longer, and a further piece retires it. Memory is taken
// with kGrowth bytes to spare, where they can be had.
//
// The top is a free block to the layers above, and takes in what they free before it. Other single
// blocks are not taken back: a list above keeps them. The end of the heap, and clear(), give back
// all pieces; trim_top() and trim_pieces() give back what is free of them.
#pragma once

#include <mmt/core/compiler.h>
#include <mmt/layers/header/boundary_tags.h>
#include <mmt/layers/header/pieced_memory.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <size_t kGrowth, class Super>
class CoalesceableHeap : public PiecedMemory<kGrowth, Super>, public BoundaryTags {
  static_assert(
      !kIsFreeingYounger<Super>,
      "CoalesceableHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(Heap<Super>,
                "CoalesceableHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(FullyAlignedHeap<Super>,
                "CoalesceableHeap: its super-heap's blocks are not aligned");
  static_assert(!kIsOneSize<Super>,
                "CoalesceableHeap: its super-heap serves one size alone, and pieces differ");
  static_assert(!std::derived_from<Super, BoundaryTags>,
                "CoalesceableHeap: blocks below it have boundary tags already; put a RefHeap to "
                "that heap below it");

  using Memory = PiecedMemory<kGrowth, Super>;

 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kOneSize = false;
  static constexpr bool kKeepsAll = false;
  static constexpr bool kContiguous = false;
  static constexpr bool kSharedSizes = true;
  static constexpr bool kSharedOwns = false;
  // The end of the heap gives back all memory, also that of free blocks which layers above hold.
  static constexpr bool kEndsAll = true;

  using Memory::Memory;

  void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(bytes > kMaxRequest)) return nullptr;
    void* block = carve(size_for(bytes));
    return MMT_LIKELY(block != nullptr) ? block : grow(size_for(bytes));
  }
  void free(void* block) {
    if (next_block(block) == top_) merge_into_top(block);
  }
  // Also where a layer below has members of these names.
  using BoundaryTags::block_behind, BoundaryTags::foot_before, BoundaryTags::get_size;
  using BoundaryTags::is_free, BoundaryTags::is_previous_free, BoundaryTags::is_stranger;
  using BoundaryTags::kFree, BoundaryTags::kPreviousFree, BoundaryTags::kStranger;
  using BoundaryTags::kLeastCut, BoundaryTags::kLeastSize, BoundaryTags::kWord;
  using BoundaryTags::mark_free, BoundaryTags::mark_rest, BoundaryTags::mark_used;
  using BoundaryTags::next_block, BoundaryTags::previous_block, BoundaryTags::size_for;
  using BoundaryTags::word_of;
  size_t good_size(size_t bytes) const { return bytes > kMaxRequest ? 0 : size_for(bytes); }
  // What a SizeHeap below offers for blocks of its own.
  void base_of(void* block) = delete;
  void size_word(const void* block) = delete;
  void place_within(void* block, size_t alignment) = delete;

  // --- for the layers above; sizes are those that size_for() gives ---

  // A block off the top; null where that is too short.
  MMT_ALWAYS_INLINE void* carve(size_t size) {
    if (MMT_UNLIKELY(top_bytes() < size + kWord + kLeastCut)) return nullptr;
    char* block = top_;
    start_top(block + size + kWord);
    word_of(block) = size;
    return block;
  }
  // The same, for which the top is made longer.
  MMT_NOINLINE void* grow(size_t size) {
    return size <= kMaxRequest && lengthen(size + kWord + kLeastCut) ? carve(size) : nullptr;
  }
  bool is_top(const void* block) const { return block == top_; }
  size_t top_bytes() const { return static_cast<size_t>(Memory::end() - top_); }
  // The block lies right before the top, and the one before it is in use.
  MMT_ALWAYS_INLINE void merge_into_top(void* block) { start_top(static_cast<char*>(block)); }
  // What a further piece retired, once: a free block that nobody holds yet.
  void* take_retired() {
    void* block = retired_;
    retired_ = nullptr;
    return block;
  }
  // Blocks that no layer above holds are held nowhere.
  void remove(void*) {}

  // Only the block right before the top can grow.
  bool expand(void* block, size_t bytes) {
    const size_t size = get_size(block);
    if (bytes <= size) return true;
    if (bytes > kMaxRequest || next_block(block) != top_) return false;
    const size_t more = size_for(bytes) - size;
    if (top_bytes() < more + kLeastCut) {
      if (!kIsContiguous<Super> || !lengthen(more + kLeastCut)) return false;
      if (next_block(block) != top_) return false;
    }
    start_top(top_ + more);
    word_of(block) += more;
    return true;
  }

  // Shortens the top to so many bytes and less than a page; whether memory was given back.
  bool trim_top(size_t kept) {
    return top_bytes() > kept + kLeastCut && Memory::shorten(top_bytes() - kept - kLeastCut);
  }
  // To be called now and then: a top that is longer than the threshold is shortened.
  void trim_surplus() {
    if (MMT_UNLIKELY(top_bytes() > trim_threshold_)) trim_top(kGrowth);
  }
  void set_trim_threshold(size_t bytes) { trim_threshold_ = bytes; }
  // Gives back the pieces for which that is true: none of their blocks is used or held any more. A
  // contiguous super-heap takes none.
  template <class Condition>
  void trim_pieces(Condition is_unused) {
    if constexpr (kIsContiguous<Super>) return;
    Memory::release(is_unused);
    if (Memory::end() == nullptr) top_ = nullptr;
  }
  void clear() {
    Piece* kept = kIsContiguous<Super> ? Memory::last_piece() : nullptr;
    Memory::release([&](Piece* piece) { return piece != kept; });
    top_ = nullptr;
    retired_ = nullptr;
    if (kept != nullptr) start_top(kept->first());
  }

  Usage usage() const {
    const size_t top_word = top_ != nullptr ? kWord : 0;
    Usage all{.free_bytes = top_bytes() + top_word, .free_blocks = top_ != nullptr};
    Memory::for_each_piece([&](Piece* piece) {
      all.system_bytes += piece->bytes;
      for (void* b = piece->first(); b != piece->end() && b != top_; b = next_block(b)) {
        all.free_blocks += is_free(b);
        all.free_bytes += is_free(b) ? get_size(b) + kBeside : 0;
      }
    });
    return all;
  }

  void free(void* block, size_t bytes) = delete;
  Block allocate(size_t bytes, size_t alignment) = delete;
  void* remap(void* block, size_t bytes) = delete;

 private:
  MMT_ALWAYS_INLINE void start_top(char* block) {
    top_ = block;
    word_of(block) = kFree;  // its size is where it ends
  }
  // The top gets at least so many bytes; or nothing has changed.
  bool lengthen(size_t bytes) {
    char* const end = Memory::end();
    char* memory = Memory::take(bytes, top_bytes());
    if (memory == nullptr || memory == end) return memory != nullptr;
    if (top_ != nullptr) {
      mark_free(top_, static_cast<size_t>(end - top_) - kWord);
      retired_ = top_;
    }
    start_top(memory);
    return true;
  }

  char* top_ = nullptr;
  void* retired_ = nullptr;
  size_t trim_threshold_ = 2 * kGrowth;
};

template <size_t kGrowth = size_t{128} << 10>
struct Coalesceable {
  template <class Super>
  using Over = CoalesceableHeap<kGrowth, Super>;
};

}  // namespace mmt::layers
