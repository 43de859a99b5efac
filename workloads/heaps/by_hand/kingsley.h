#pragma once
// This is Chris Kingsley's allocator of 4.2BSD written in one piece, as one would without layers.
// The composed one (mmt/layers/general/kingsley_heap.h) is compared with it. The buckets, the
// header of magic and index, and the way of cutting up a page are the original's. The link of a
// free block overlays the header. Blocks are aligned to 16 bytes, sizes are checked, and alignments
// are served besides. One thread.
#include <unistd.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/usage.h>

namespace mmt::heaps::by_hand {

class Kingsley {
 public:
  static constexpr size_t kAlignment = layers::kBlockAlignment;
  static constexpr size_t kSkew = 0;

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(bytes > kLargest)) return nullptr;
    const uint32_t bucket = bucket_of(bytes);
    Overhead* block = next_[bucket];
    if (MMT_UNLIKELY(block == nullptr)) return malloc_more(bucket);
    next_[bucket] = block->next;
    block->busy = {kMagic, bucket};
    return block + 1;
  }

  MMT_ALWAYS_INLINE void free(void* memory) {
    Overhead* block = static_cast<Overhead*>(memory) - 1;
    if (MMT_UNLIKELY(block->busy.magic != kMagic)) return free_other(memory);
    const uint32_t bucket = block->busy.bucket;
    block->next = next_[bucket];
    next_[bucket] = block;
  }

  size_t get_size(const void* memory) const {
    const Overhead* block = static_cast<const Overhead*>(memory) - 1;
    if (block->busy.magic == kMagic) return size_of(block->busy.bucket);
    const char* base = static_cast<const char*>(memory) - distance_of(block);
    return size_of((reinterpret_cast<const Overhead*>(base) - 1)->busy.bucket) - distance_of(block);
  }
  bool expand(void* memory, size_t bytes) { return bytes <= get_size(memory); }

  layers::Block allocate(size_t bytes, size_t alignment) {
    if (bytes > kLargest || alignment > kLargest - bytes) return {};
    char* memory = static_cast<char*>(malloc(bytes + alignment));
    if (memory == nullptr) return {};
    const size_t distance = (0 - reinterpret_cast<uintptr_t>(memory)) & (alignment - 1);
    if (distance != 0) {
      memory += distance;
      (reinterpret_cast<Overhead*>(memory) - 1)->busy = {kWithin,
                                                         static_cast<uint32_t>(distance / 16)};
    }
    return {memory, get_size(memory)};
  }

  bool owns(const void* address) const { return address >= begin_ && address < end_; }

  layers::Usage usage() const {
    layers::Usage all;
    all.system_bytes = static_cast<size_t>(end_ - begin_);
    for (uint32_t bucket = 0; bucket < kBuckets; ++bucket) {
      for (const Overhead* block = next_[bucket]; block != nullptr; block = block->next) {
        ++all.free_blocks;
        all.free_bytes += kLeast << bucket;
      }
    }
    return all;
  }

 private:
  union Overhead {
    Overhead* next;  // free
    struct {
      uint32_t magic;
      uint32_t bucket;
    } busy;
  };
  static constexpr uint32_t kMagic = 0xef0bef0b;
  static constexpr uint32_t kWithin = 0xef0bef0c;  // lies so many times 16 bytes within a block
  static constexpr size_t kLeast = 16;
  static constexpr size_t kPage = 4096;
  static constexpr uint32_t kBuckets = 43;
  static constexpr size_t kLargest = (kLeast << (kBuckets - 1)) - sizeof(Overhead);

  static size_t size_of(uint32_t bucket) { return (kLeast << bucket) - sizeof(Overhead); }
  static size_t distance_of(const Overhead* block) { return size_t{block->busy.bucket} * 16; }
  static uint32_t bucket_of(size_t bytes) {
    const size_t room = (bytes + sizeof(Overhead) - 1) | (kLeast - 1);
    return 60u - static_cast<uint32_t>(std::countl_zero(room));
  }

  MMT_NOINLINE void free_other(void* memory) {
    const Overhead* block = static_cast<const Overhead*>(memory) - 1;
    if (block->busy.magic == kWithin) free(static_cast<char*>(memory) - distance_of(block));
  }

  MMT_NOINLINE void* malloc_more(uint32_t bucket) {
    if (!more_core(bucket)) return nullptr;
    Overhead* block = next_[bucket];
    next_[bucket] = block->next;
    block->busy = {kMagic, bucket};
    return block + 1;
  }

  // A page cut up, or as many pages as one block takes. The break is kept 8 bytes short of a page,
  // so that what follows a header is aligned.
  bool more_core(uint32_t bucket) {
    const size_t size = kLeast << bucket;
    const size_t amount = size < kPage ? kPage : size;
    auto* const now = static_cast<char*>(::sbrk(0));
    if (now != end_) {
      const size_t past = (reinterpret_cast<uintptr_t>(now) - sizeof(Overhead)) & (kPage - 1);
      if (past != 0 && ::sbrk(static_cast<intptr_t>(kPage - past)) != now) return false;
    }
    auto* memory = static_cast<char*>(::sbrk(static_cast<intptr_t>(amount)));
    if (reinterpret_cast<intptr_t>(memory) == -1) return false;
    if (begin_ == nullptr) begin_ = memory;
    end_ = memory + amount;
    Overhead** link = &next_[bucket];
    for (size_t at = 0; at < amount; at += size) {
      *link = reinterpret_cast<Overhead*>(memory + at);
      link = &(*link)->next;
    }
    *link = nullptr;
    return true;
  }

  Overhead* next_[kBuckets] = {};
  char* begin_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace mmt::heaps::by_hand
