// This layer records a block's size in the word before it, as get_size() tells it. The header takes
// 8 bytes where the super-heap's blocks lie so that what follows is aligned (kSkew), and 16
// elsewhere.
//
// A block of greater alignment lies within a larger one. The word of such a block says how far (the
// topmost bit is set, which no size has). The larger block is found by base_of(); layers that keep
// freed blocks free that one.
#pragma once

#include <cstdint>
#include <limits>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <class Super>
class SizeHeap : public Super {
  static_assert(Heap<Super>, "SizeHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(
      Super::kAlignment >= kBlockAlignment &&
          (Super::kSkew == 0 || Super::kSkew == kBlockAlignment - sizeof(size_t)),
      "SizeHeap: the blocks of its super-heap are not aligned so that a header of 8 or 16 "
      "bytes can stand before an aligned block");

 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kSharedSizes = true;
  static constexpr bool kOneSize = kIsOneSize<Super>;
  static constexpr bool kContiguous = false;  // headers lie between
  // Bytes that the block of the super-heap has more.
  static constexpr size_t kHeader = Super::kSkew == 0 ? kBlockAlignment : sizeof(size_t);
  static constexpr size_t kBeside = kHeader + kBesideOf<Super>;

  using Super::Super;

  void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(bytes > kMaxRequest)) return nullptr;
    // A byte at least, so that the block lies within that of the super-heap.
    void* raw = Super::malloc((bytes == 0 ? 1 : bytes) + kHeader);
    if (MMT_UNLIKELY(raw == nullptr)) return nullptr;
    void* block = static_cast<char*>(raw) + kHeader;
    word_of(block) = bytes;
    return block;
  }
  void free(void* block) { Super::free(static_cast<char*>(base_of(block)) - kHeader); }

  static size_t get_size(const void* block) {
    const size_t word = word_of(block);
    if (MMT_LIKELY((word & kWithin) == 0)) return word;
    const size_t distance = word & ~kWithin;
    return word_of(static_cast<const char*>(block) - distance) - distance;
  }

  // The word itself: the size, or a number beyond all sizes for a block within another.
  static size_t size_word(const void* block) { return word_of(block); }
  // The block that malloc gave out, in which this one lies: itself almost always.
  static void* base_of(void* block) {
    const size_t word = word_of(block);
    if (MMT_LIKELY((word & kWithin) == 0)) return block;
    return static_cast<char*>(block) - (word & ~kWithin);
  }
  // Makes the place of that alignment within a block of at least bytes + alignment a block itself.
  static Block place_within(void* block, size_t alignment) {
    const size_t size = word_of(block);
    const auto address = reinterpret_cast<uintptr_t>(block);
    const size_t distance = core::align_up(address, alignment) - address;
    if (distance == 0) return {block, size};
    void* placed = static_cast<char*>(block) + distance;
    word_of(placed) = distance | kWithin;
    return {placed, size - distance};
  }

  Block allocate(size_t bytes, size_t alignment) requires(!kIsOneSize<Super>) {
    if (bytes > kMaxRequest || alignment > kMaxRequest - bytes) return {};
    const bool is_plain = alignment <= kAlignment;
    void* block = malloc(is_plain ? bytes : bytes + alignment);
    if (block == nullptr) return {};
    return is_plain ? Block{block, bytes} : place_within(block, alignment);
  }
  bool expand(void* block, size_t bytes) {
    if (bytes <= get_size(block)) return true;
    if constexpr (ResizableHeap<Super>) {
      if (base_of(block) != block || bytes > kMaxRequest) return false;
      if (!Super::expand(static_cast<char*>(block) - kHeader, bytes + kHeader)) return false;
      word_of(block) = bytes;
      return true;
    }
    return false;
  }
  // The super-heap's knows another block than ours.
  void* remap(void* block, size_t bytes) = delete;
  size_t good_size(size_t bytes) const { return bytes > kMaxRequest ? 0 : bytes; }

 private:
  static constexpr size_t kWithin = ~(std::numeric_limits<size_t>::max() >> 1);

  static size_t& word_of(const void* block) {
    return static_cast<size_t*>(const_cast<void*>(block))[-1];
  }
};

using Size = Stage<SizeHeap>;

}  // namespace mmt::layers
