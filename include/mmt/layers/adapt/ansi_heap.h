// This layer does what C's functions promise (the paper's ANSIWrapper): free(null), calloc, realloc
// and the aligned forms. It works over any heap that can tell sizes. It sets no errno. It is as
// thread-safe as the super-heap.
//   - realloc   The block stays in place if it is large enough and not twice as large, or can grow.
//               Otherwise the block moves. A null result leaves the block as it was.
//               To size 0 realloc frees the block, and returns null.
//   - aligned   The alignment is a power of two, else the result is null, or EINVAL. That of
//               posix_memalign() must also be a multiple of a pointer's size.
#pragma once

#include <errno.h>

#include <bit>
#include <concepts>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/adapt/front_heap.h>
#include <mmt/layers/adapt/remapping_heap.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

// A heap with `void cut(void* block, size_t bytes)`, as DebugHeap: a block is to have no more than
// that from now on. Its own: what a layer inherits takes the blocks of the heap below it.
template <class H>
concept CuttingHeap = Heap<H> && requires {
  { &H::cut } -> std::same_as<void (H::*)(void*, size_t)>;
};

template <class Super>
class AnsiHeap : public Super {
  static_assert(!kIsFreeingYounger<Super>,
                "AnsiHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(FullyAlignedHeap<Super>,
                "AnsiHeap: the blocks of its super-heap are not aligned for any type");
  static_assert(SizedHeap<Super>,
                "AnsiHeap: its super-heap has no get_size(block), which realloc needs; put "
                "SizeHeap below it");
  static_assert(!kIsOneSize<Super>, "AnsiHeap: its super-heap serves one size only");
  static_assert(!FrontHeap<Super>, "AnsiHeap: its super-heap has realloc already");

 public:
  using Super::Super;

  MMT_ALWAYS_INLINE void free(void* block) {
    if (MMT_LIKELY(block != nullptr)) Super::free(block);
  }
  MMT_ALWAYS_INLINE void free(void* block, size_t bytes) requires SizedFreeHeap<Super> {
    if (MMT_LIKELY(block != nullptr)) Super::free(block, bytes);
  }

  bool free_quickly(void* block) = delete;  // may not be called with null

  void* calloc(size_t count, size_t size) {
    size_t bytes;
    if (!core::checked_multiply(count, size, &bytes)) return nullptr;
    void* block = Super::malloc(bytes);
    return block == nullptr ? nullptr : std::memset(block, 0, bytes);
  }

  void* realloc(void* block, size_t bytes) {
    if (block == nullptr) return Super::malloc(bytes);
    if (bytes == 0) {
      Super::free(block);
      return nullptr;
    }
    if (void* same = resize(block, bytes)) return same;
    const size_t size = Super::get_size(block);
    const bool is_smaller = bytes <= size;
    void* const moved = move(block, is_smaller ? bytes : size, bytes);
    return moved != nullptr || !is_smaller ? moved : block;
  }
  // This function is realloc of a block to a size of at least 1, as far as nothing has to be
  // copied. The result is the block, in place or moved by its pages. A null result means that the
  // block stays as it is, and is to be copied. If the block gets smaller and the copy fails, the
  // block is to be left alone.
  void* resize(void* block, size_t bytes) {
    const size_t size = Super::get_size(block);
    return bytes <= size ? shrink(block, size, bytes) : grow(block, bytes);
  }
  void* reallocarray(void* block, size_t count, size_t size) {
    size_t bytes;
    return core::checked_multiply(count, size, &bytes) ? realloc(block, bytes) : nullptr;
  }

  void* memalign(size_t alignment, size_t bytes) requires AligningHeap<Super> {
    return std::has_single_bit(alignment) ? Super::allocate(bytes, alignment).data : nullptr;
  }
  void* aligned_alloc(size_t alignment, size_t bytes) requires AligningHeap<Super> {
    return memalign(alignment, bytes);
  }
  // The result is 0, EINVAL or ENOMEM; *result is set if it is 0.
  int posix_memalign(void** result, size_t alignment, size_t bytes) requires AligningHeap<Super> {
    if (!std::has_single_bit(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
    void* block = Super::allocate(bytes, alignment).data;
    if (block == nullptr) return ENOMEM;
    *result = block;
    return 0;
  }

  size_t usable_size(const void* block) const {
    return block == nullptr ? 0 : Super::get_size(block);
  }

 private:
  void* shrink(void* block, size_t size, size_t bytes) {
    if constexpr (CuttingHeap<Super>) {
      Super::cut(block, bytes);
      return block;
    }
    if (bytes >= size / 2) return block;
    if constexpr (RemappingHeap<Super>) {
      if (void* moved = Super::remap(block, bytes)) return moved;
    }
    if constexpr (GoodSizeHeap<Super>) {
      const size_t good = Super::good_size(bytes);
      if (good == 0 || good > size / 2) return block;
    }
    return nullptr;
  }
  void* grow(void* block, size_t bytes) {
    if constexpr (ResizableHeap<Super>) {
      if (Super::expand(block, bytes)) return block;
    }
    if constexpr (RemappingHeap<Super>) {
      if (void* moved = Super::remap(block, bytes)) return moved;
    }
    return nullptr;
  }
  void* move(void* block, size_t kept, size_t bytes) {
    void* moved = Super::malloc(bytes);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, block, kept);
    Super::free(block);
    return moved;
  }
};

using Ansi = Stage<AnsiHeap>;

}  // namespace mmt::layers
