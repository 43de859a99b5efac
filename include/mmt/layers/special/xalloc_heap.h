// This heap is for programs that free nearly in the reverse order of allocation (the xalloc of
// 197.parser, the paper's section 5.1). It has one arena of kBytes, taken from the super-heap at
// the first use. Blocks lie one after the other. A block that is freed stays until all behind it
// are free, too; then its memory is used again. A call of clear() frees all at once, and keeps the
// arena.
//
// A word before each block holds the length of the block before it, words included; bit 0 says that
// the block itself is in use. The word of the next block lies behind the last block. The heap is
// for one thread.
#pragma once

#include <cstdint>

#include <mmt/core/check.h>
#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

template <size_t kBytes, class Super>
class XallocHeap : public Super {
  static_assert(!kIsOneSize<Super>, "XallocHeap: its super-heap serves one size alone");
  static_assert(!kIsFreeingYounger<Super>,
                "XallocHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(Heap<Super>, "XallocHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(FullyAlignedHeap<Super>, "XallocHeap: its super-heap's blocks are not aligned");
  static_assert(kBytes >= 4 * kBlockAlignment && kBytes <= kMaxRequest,
                "XallocHeap: kBytes is no size for an arena");

 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kOneSize = false;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = false;
  static constexpr bool kSharedOwns = false;

  using Super::Super;
  XallocHeap(const XallocHeap&) = delete;
  XallocHeap& operator=(const XallocHeap&) = delete;
  ~XallocHeap() {
    if (first_ != nullptr) close();
  }

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    const size_t length = length_for(bytes);
    char* const place = last_;
    // The second wraps around only where the first holds.
    if (MMT_UNLIKELY(bytes > kBytes || length > static_cast<size_t>(limit_ - place))) {
      return malloc_first(bytes);
    }
    word(place) |= kInUse;
    last_ = place + length;
    word(place + length) = length;
    return place + kWord;
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    size_t& own = word(static_cast<char*>(block) - kWord);
    MMT_DEBUG_CHECK((own & kInUse) != 0, "XallocHeap: the block is free already", own);
    own &= ~kInUse;
    char* last = last_;
    while (last != first_) {
      char* const before = last - word(last);
      if ((word(before) & kInUse) != 0) break;
      last = before;
    }
    last_ = last;
  }

  void clear() {
    last_ = first_;
    if (first_ != nullptr) word(first_) = 0;
  }

  // A block does not know where it ends.
  size_t get_size(const void* block) const = delete;
  bool owns(const void* address) const { return address >= first_ && address < limit_; }
  // The last block grows within the arena, no other.
  bool expand(void* block, size_t bytes) {
    char* const place = static_cast<char*>(block) - kWord;
    if (last_ - word(last_) != place || bytes > kBytes) return false;
    const size_t length = length_for(bytes);
    if (length > static_cast<size_t>(limit_ - place)) return false;
    if (length > word(last_)) {
      last_ = place + length;
      word(last_) = length;
    }
    return true;
  }
  size_t good_size(size_t bytes) const {
    return bytes > kCapacity - kWord ? 0 : length_for(bytes) - kWord;
  }
  Block allocate(size_t bytes, size_t alignment) {
    if (bytes > kBytes || alignment > kBytes) return {};
    const bool is_first = first_ == nullptr;
    if (is_first && !open()) return {};
    const auto next = reinterpret_cast<uintptr_t>(last_ + kWord);
    const size_t gap = core::align_up(next, alignment < kAlignment ? kAlignment : alignment) - next;
    if (gap + length_for(bytes) > static_cast<size_t>(limit_ - last_)) {
      if (is_first) close();
      return {};
    }
    // Before the block lies one that is free: it ends when the block does.
    if (gap != 0) {
      last_ += gap;
      word(last_) = gap;
    }
    return {malloc(bytes), length_for(bytes) - kWord};
  }
  void* remap(void* block, size_t bytes) = delete;  // the super-heap's knows the arena only

 private:
  static constexpr size_t kWord = sizeof(size_t);
  static constexpr size_t kInUse = 1;
  // All blocks together have at most so many bytes, words included.
  static constexpr size_t kCapacity = core::align_down(kBytes, kBlockAlignment) - kBlockAlignment;

  static size_t& word(char* place) { return *reinterpret_cast<size_t*>(place); }
  static constexpr size_t length_for(size_t bytes) {
    return core::align_up(bytes + kWord, kBlockAlignment);
  }

  // The arena is full, or not there yet.
  MMT_COLD void* malloc_first(size_t bytes) {
    if (first_ != nullptr || bytes > kCapacity - kWord || !open()) return nullptr;
    return malloc(bytes);
  }
  bool open() {
    auto* const memory = static_cast<char*>(Super::malloc(kBytes));
    if (memory == nullptr) return false;
    first_ = last_ = memory + kBlockAlignment - kWord;
    limit_ = first_ + kCapacity;
    word(first_) = 0;
    return true;
  }
  void close() {
    Super::free(first_ - (kBlockAlignment - kWord));
    first_ = last_ = limit_ = nullptr;
  }

  char* first_ = nullptr;  // the word of the first block
  char* last_ = nullptr;   // the word behind the last block
  char* limit_ = nullptr;  // the last place where a word can be
};

template <size_t kBytes>
struct Xalloc {
  template <class Super>
  using Over = XallocHeap<kBytes, Super>;
};

}  // namespace mmt::layers
