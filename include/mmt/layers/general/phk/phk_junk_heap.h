// Options J and Z: PHKmalloc's new blocks are filled with junk, and freed ones, too; of a new one,
// what was asked for is zeroed. Blocks that are filled do not grow where they lie.
#pragma once

#include <mmt/core/compiler.h>
#include <mmt/layers/general/phk/control_heap.h>
#include <mmt/layers/general/phk/junk.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

template <class Super>
class PhkJunkHeap : public Super {
  static_assert(PhkControlledHeap<Super>,
                "PhkJunkHeap: its super-heap has no options(); put PhkControl below it");
  static_assert(SizedHeap<Super> && GoodSizeHeap<Super> && AligningHeap<Super>,
                "PhkJunkHeap: its super-heap has not all of get_size(block), good_size(size) and "
                "allocate(size, alignment)");

 public:
  using Super::Super;

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    void* const block = Super::malloc(bytes);
    return MMT_LIKELY(!Super::options().junk) ? block : fill(block, bytes, Super::good_size(bytes));
  }
  Block allocate(size_t bytes, size_t alignment) {
    const Block block = Super::allocate(bytes, alignment);
    if (Super::options().junk) fill(block.data, bytes, block.size);
    return block;
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    if (MMT_UNLIKELY(Super::options().junk)) return free_filled(block);
    Super::free(block);
  }
  bool expand(void* block, size_t bytes) requires ResizableHeap<Super> {
    return Super::options().junk ? bytes <= Super::get_size(block) : Super::expand(block, bytes);
  }

 private:
  // Not cold, for which memset would be made short instead of fast.
  MMT_NOINLINE void* fill(void* block, size_t bytes, size_t size) {
    if (block == nullptr) return nullptr;
    const size_t zeroed = Super::options().zero ? bytes : 0;
    fill_bytes(block, 0, zeroed);
    fill_bytes(static_cast<char*>(block) + zeroed, kPhkJunk, size - zeroed);
    return block;
  }
  MMT_NOINLINE void free_filled(void* block) {
    // 0: no block, as has been said.
    const size_t size = Super::get_size(block);
    if (size == 0) return;
    fill_bytes(block, kPhkJunk, size);
    Super::free(block);
  }
};

using PhkJunk = Stage<PhkJunkHeap>;

}  // namespace mmt::layers
