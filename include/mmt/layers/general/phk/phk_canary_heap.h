// Option C: behind what was asked for, each of PHKmalloc's blocks is filled with canaries to its
// end, and its last word holds the size. If they are not as they were when the block is freed,
// there is a warning. Sizes are then exactly those asked for.
#pragma once

#include <cstdint>
#include <cstring>

#include <mmt/core/compiler.h>
#include <mmt/layers/general/phk/control_heap.h>
#include <mmt/layers/general/phk/junk.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/pipe.h>

namespace mmt::layers {

template <class Super>
class PhkCanaryHeap : public Super {
  static_assert(PhkControlledHeap<Super>,
                "PhkCanaryHeap: its super-heap has no options(); put PhkControl below it");
  static_assert(SizedHeap<Super> && AligningHeap<Super> && ResizableHeap<Super> &&
                    GoodSizeHeap<Super>,
                "PhkCanaryHeap: its super-heap has not all of get_size(block), good_size(size), "
                "allocate(size, alignment) and expand(block, size)");

 public:
  static constexpr unsigned char kCanary = 0xdb;

  using Super::Super;

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(Super::options().canaries)) return allocate(bytes, kBlockAlignment).data;
    return Super::malloc(bytes);
  }
  Block allocate(size_t bytes, size_t alignment) {
    if (!Super::options().canaries) return Super::allocate(bytes, alignment);
    if (bytes > kMaxRequest - kWord) return {};
    const Block block = Super::allocate(bytes + kWord, alignment);
    if (block.data == nullptr) return {};
    guard(block.data, block.size, bytes);
    return {block.data, bytes};
  }
  MMT_ALWAYS_INLINE void free(void* block) {
    if (MMT_UNLIKELY(Super::options().canaries)) return free_guarded(block);
    Super::free(block);
  }

  size_t get_size(const void* block) const {
    const size_t size = Super::get_size(block);
    return MMT_LIKELY(!Super::options().canaries || size == 0) ? size : asked_of(block, size);
  }
  size_t good_size(size_t bytes) const {
    if (!Super::options().canaries) return Super::good_size(bytes);
    return bytes > kMaxRequest ? 0 : bytes;
  }
  bool expand(void* block, size_t bytes) {
    if (!Super::options().canaries) return Super::expand(block, bytes);
    const size_t size = Super::get_size(block);
    if (size == 0 || bytes > kMaxRequest - kWord) return false;
    if (bytes <= asked_of(block, size)) return true;
    check(block, size);
    if (!Super::expand(block, bytes + kWord)) return false;
    guard(block, Super::get_size(block), bytes);
    return true;
  }

 private:
  static constexpr size_t kWord = sizeof(uint64_t);

  // Code that writes beyond the end cannot guess it.
  static uint64_t key_of(const void* block) {
    return Super::secret() ^ reinterpret_cast<uintptr_t>(block) * 0x9e3779b97f4a7c15u;
  }
  static void guard(void* block, size_t size, size_t bytes) {
    char* const end = static_cast<char*>(block) + size - kWord;
    std::memset(static_cast<char*>(block) + bytes, kCanary, size - kWord - bytes);
    const uint64_t word = bytes ^ key_of(block);
    std::memcpy(end, &word, kWord);
  }
  // What was asked for; where that has been overwritten, what is left of the block.
  static size_t asked_of(const void* block, size_t size) {
    uint64_t word;
    std::memcpy(&word, static_cast<const char*>(block) + size - kWord, kWord);
    const uint64_t bytes = word ^ key_of(block);
    return bytes <= size - kWord ? static_cast<size_t>(bytes) : size;
  }
  MMT_COLD void free_guarded(void* block) {
    // 0: no block, as has been said.
    const size_t size = Super::get_size(block);
    if (size == 0) return;
    check(block, size);
    Super::free(block);
  }
  void check(const void* block, size_t size) const {
    const size_t bytes = asked_of(block, size);
    const char* const behind = static_cast<const char*>(block) + bytes;
    if (bytes == size || !is_all(behind, kCanary, size - kWord - bytes)) {
      Super::warn("canary behind the block was overwritten");
    }
  }
};

using PhkCanary = Stage<PhkCanaryHeap>;

}  // namespace mmt::layers
