#pragma once
// Blocks on their way between a thread and the depot: of one size class, in the form in which they
// come, or one large block. A batch points at what somebody else has, for the length of a call.
#include <bit>
#include <cstddef>
#include <cstdint>

#include "heap/store/depot.h"

namespace mmt::heap {

struct Batch {
  enum class Form : uint8_t {
    kBlocks,   // `count` pointers
    kOffsets,  // `count` offsets from `base`, in units of 1 << store::kOffsetUnitShift bytes
    kWords,    // the set bits of the bitmap of the span at `base`
    kLarge,    // the large block at `base`
  };

  Form form;
  bool moved = false;  // a large block's pages were moved away
  store::SizeClass size_class = store::kNoClass;
  size_t count = 0;
  const void* items = nullptr;
  char* base = nullptr;

  static Batch of_blocks(store::SizeClass c, void* const* blocks, size_t count) {
    return {Form::kBlocks, false, c, count, blocks, nullptr};
  }
  static Batch of_offsets(store::SizeClass c, char* window, const uint32_t* offsets, size_t count) {
    return {Form::kOffsets, false, c, count, offsets, window};
  }
  static Batch of_words(store::SizeClass c, char* span, const uint64_t* words) {
    return {Form::kWords, false, c, 0, words, span};
  }
  static Batch of_large(void* block, bool moved) {
    return {Form::kLarge, moved, store::kNoClass, 1, nullptr, static_cast<char*>(block)};
  }

  void* const* blocks() const { return static_cast<void* const*>(items); }
  const uint32_t* offsets() const { return static_cast<const uint32_t*>(items); }
  const uint64_t* words() const { return static_cast<const uint64_t*>(items); }

  // The bytes of the small blocks in it.
  size_t small_bytes() const {
    size_t blocks = count;
    if (form == Form::kWords)
      for (uint32_t w = 0; w < store::kClasses[size_class].words; ++w)
        blocks += static_cast<size_t>(std::popcount(words()[w]));
    return blocks * store::kClasses[size_class].size;
  }

  // Calls visit(block), for each once.
  template <class Visit>
  void for_each(Visit&& visit) const {
    switch (form) {
      case Form::kBlocks:
        for (size_t i = 0; i < count; ++i) visit(blocks()[i]);
        break;
      case Form::kOffsets:
        for (size_t i = 0; i < count; ++i)
          visit(static_cast<void*>(base + (size_t{offsets()[i]} << store::kOffsetUnitShift)));
        break;
      case Form::kWords:
        for (uint32_t w = 0; w < store::kClasses[size_class].words; ++w)
          for (uint64_t bits = words()[w]; bits != 0; bits &= bits - 1) {
            const size_t index = w * 64 + static_cast<size_t>(std::countr_zero(bits));
            visit(static_cast<void*>(base + index * store::kClasses[size_class].size));
          }
        break;
      case Form::kLarge:
        visit(static_cast<void*>(base));
        break;
    }
  }
};

}  // namespace mmt::heap
