// This layer takes memory in chunks of kChunk bytes, or more where one block needs more. It gives
// blocks out one after the other. Single blocks are not taken back: a list above keeps them. The
// end of the heap, and clear(), give back all chunks. Memory that follows the last chunk directly,
// from a contiguous source, makes that chunk longer. `kSkewed` tells where blocks lie modulo
// kBlockAlignment, so that a header above makes them even.
#pragma once

#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

template <size_t kChunk, size_t kSkewed, class Super>
class ChunkHeap : public Super {
  static_assert(!kIsOneSize<Super>, "ChunkHeap: its super-heap serves one size alone");
  static_assert(!kIsFreeingYounger<Super>,
                "ChunkHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(Heap<Super>, "ChunkHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(FullyAlignedHeap<Super>, "ChunkHeap: its super-heap's blocks are not aligned");
  static_assert(kSkewed < kBlockAlignment, "ChunkHeap: kSkewed is an offset within the alignment");

 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = kSkewed;

  using Super::Super;
  ChunkHeap(const ChunkHeap&) = delete;
  ChunkHeap& operator=(const ChunkHeap&) = delete;
  ~ChunkHeap() { release(); }

  void* malloc(size_t bytes) {
    if (MMT_UNLIKELY(bytes > kMaxRequest)) return nullptr;
    const size_t needed = core::align_up(bytes == 0 ? 1 : bytes, kBlockAlignment);
    if (MMT_UNLIKELY(needed > static_cast<size_t>(end_ - next_)) && !add_chunk(needed)) {
      return nullptr;
    }
    void* block = next_;
    next_ += needed;
    return block;
  }
  void free(void*) {}

  void clear() {
    release();
    chunks_ = nullptr;
    next_ = end_ = nullptr;
  }

  size_t get_size(const void* block) const = delete;
  bool owns(const void* address) const {
    if constexpr (OwningHeap<Super>) return Super::owns(address);
    for (const Chunk* chunk = chunks_; chunk != nullptr; chunk = chunk->before) {
      if (address >= chunk && address < reinterpret_cast<const char*>(chunk) + chunk->bytes) {
        return true;
      }
    }
    return false;
  }
  // The last block can grow within its chunk; where nobody knows its size, none can.
  bool expand(void* block, size_t bytes) = delete;
  Usage usage() const {
    Usage all;
    for (const Chunk* chunk = chunks_; chunk != nullptr; chunk = chunk->before) {
      all.system_bytes += chunk->bytes;
    }
    all.free_bytes = static_cast<size_t>(end_ - next_);
    all.free_blocks = all.free_bytes != 0 ? 1 : 0;
    return all;
  }
  size_t good_size(size_t bytes) const {
    if (bytes > kMaxRequest) return 0;
    return core::align_up(bytes == 0 ? 1 : bytes, kBlockAlignment);
  }
  Block allocate(size_t bytes, size_t alignment) = delete;

 private:
  struct Chunk {
    Chunk* before;
    size_t bytes;
  };
  static constexpr size_t kFirst = sizeof(Chunk) + kSkewed;

  MMT_NOINLINE bool add_chunk(size_t needed) {
    if constexpr (kIsContiguous<Super>) {
      const size_t missing = needed - static_cast<size_t>(end_ - next_) + kBlockAlignment;
      const size_t bytes =
          core::align_up(core::ceil_div(missing, kChunk) * kChunk, kBlockAlignment);
      void* block = Super::malloc(bytes);
      if (block != nullptr && block == end_of(chunks_)) {
        chunks_->bytes += bytes;
        end_ =
            next_ + core::align_down(static_cast<size_t>(end_of(chunks_) - next_), kBlockAlignment);
        return true;
      }
      if (block != nullptr && start_chunk(block, bytes, needed)) return true;
    }
    size_t bytes = needed + kFirst > kChunk ? needed + kFirst : kChunk;
    if constexpr (kIsContiguous<Super>) bytes = core::align_up(bytes, kBlockAlignment);
    void* block = Super::malloc(bytes);
    return block != nullptr && start_chunk(block, bytes, needed);
  }
  bool start_chunk(void* block, size_t asked, size_t needed) {
    size_t bytes = asked;
    if constexpr (SizedHeap<Super>) bytes = Super::get_size(block);
    if (bytes < kFirst + needed) {
      Super::free(block);
      return false;
    }
    auto* chunk = static_cast<Chunk*>(block);
    *chunk = {chunks_, bytes};
    chunks_ = chunk;
    next_ = static_cast<char*>(block) + kFirst;
    // It holds whole blocks only, from the first on.
    end_ = next_ + core::align_down(bytes - kFirst, kBlockAlignment);
    return true;
  }
  static char* end_of(Chunk* chunk) {
    return chunk == nullptr ? nullptr : reinterpret_cast<char*>(chunk) + chunk->bytes;
  }
  void release() {
    while (chunks_ != nullptr) {
      Chunk* before = chunks_->before;
      Super::free(chunks_);
      chunks_ = before;
    }
  }

  char* next_ = nullptr;
  char* end_ = nullptr;
  Chunk* chunks_ = nullptr;
};

template <size_t kChunk, size_t kSkewed = 0>
struct Chunk {
  template <class Super>
  using Over = ChunkHeap<kChunk, kSkewed, Super>;
};

}  // namespace mmt::layers
