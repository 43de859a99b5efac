// The blocks of a zone, or region, lie one after the other in chunks of kChunk bytes. They end all
// at once, by clear() or with the heap; free() does nothing. A block larger than a quarter of
// kChunk has a chunk of its own. A call of clear() keeps one chunk. A call of rewind() ends the
// blocks that are younger than a mark. The heap is for one thread.
#pragma once

#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/special/chunk_stack.h>

namespace mmt::layers {

template <size_t kChunk, class Super>
class ZoneHeap : public Super {
  static_assert(!kIsFreeingYounger<Super>,
                "ZoneHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(Heap<Super>, "ZoneHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(FullyAlignedHeap<Super>, "ZoneHeap: its super-heap's blocks are not aligned");
  static_assert(!kIsOneSize<Super>,
                "ZoneHeap: its super-heap serves one size only, but large blocks have chunks of "
                "their own; put HybridHeap below it");
  static_assert(kChunk >= 256 && kChunk <= kMaxRequest, "ZoneHeap: kChunk is no size for a chunk");

 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = false;
  static constexpr bool kSharedOwns = false;

  // A moment in the life of the zone; void once the zone was cleared, or rewound to an older one.
  struct Mark {
    const ChunkStack::Chunk* chunk;
    const ChunkStack::Chunk* large;
    char* next;
  };

  using Super::Super;
  ~ZoneHeap() {
    large_.pop_to(super(), nullptr);
    chunks_.pop_to(super(), nullptr);
  }

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    // No bytes count as too many: the slow path serves them.
    if (MMT_UNLIKELY(bytes - 1 >= room())) return malloc_elsewhere(bytes);
    return take(bytes);
  }
  void free(void*) {}
  void clear() { rewind({nullptr, nullptr, nullptr}); }

  Mark mark() const { return {chunks_.top(), large_.top(), next_}; }
  void rewind(const Mark& mark) {
    large_.pop_to(super(), mark.large);
    ChunkStack::Chunk* top = chunks_.top();
    if (mark.chunk != nullptr) {
      chunks_.pop_to(super(), mark.chunk);
      next_ = mark.next;
      end_ = chunks_.top()->end;
    } else if (top != nullptr) {
      while (top->before != nullptr) chunks_.pop_second(super());
      next_ = top->first();
      end_ = top->end;
    }
  }

  size_t get_size(const void* block) const = delete;
  bool owns(const void* address) const {
    return chunks_.find(address) != nullptr || large_.find(address) != nullptr;
  }
  bool expand(void* block, size_t bytes) = delete;
  void* remap(void* block, size_t bytes) = delete;
  size_t good_size(size_t bytes) const { return bytes > kMaxRequest ? 0 : size_for(bytes); }
  Block allocate(size_t bytes, size_t alignment) {
    if (bytes > kMaxRequest || alignment > kMaxRequest - bytes) return {};
    void* block = malloc(alignment <= kAlignment ? bytes : bytes + alignment);
    if (block == nullptr) return {};
    const uintptr_t place = core::align_up(reinterpret_cast<uintptr_t>(block), alignment);
    return {reinterpret_cast<void*>(place), size_for(bytes)};
  }
  // It is the memory of all chunks.
  size_t memory_used() const { return chunks_.bytes() + large_.bytes(); }

 private:
  static constexpr size_t kLarge = kChunk / 4;

  static constexpr size_t size_for(size_t bytes) {
    return core::align_up(bytes == 0 ? 1 : bytes, kBlockAlignment);
  }
  Super& super() { return *this; }
  size_t room() const { return static_cast<size_t>(end_ - next_); }
  MMT_ALWAYS_INLINE void* take(size_t bytes) {
    void* const block = next_;
    const auto behind = reinterpret_cast<uintptr_t>(next_ + bytes);
    next_ = reinterpret_cast<char*>(core::align_up(behind, kBlockAlignment));
    return block;
  }

  MMT_NOINLINE void* malloc_elsewhere(size_t bytes) {
    if (bytes > kMaxRequest) return nullptr;
    const size_t size = size_for(bytes);
    if (size > kLarge) {
      ChunkStack::Chunk* const own = large_.push(super(), ChunkStack::kHeader + size);
      return own == nullptr ? nullptr : own->first();
    }
    if (size > room()) {
      ChunkStack::Chunk* const chunk = chunks_.push(super(), kChunk);
      if (chunk == nullptr) return nullptr;
      next_ = chunk->first();
      end_ = chunk->end;
    }
    return take(size);
  }

  ChunkStack chunks_;
  ChunkStack large_;
  char* next_ = nullptr;  // in the top chunk
  char* end_ = nullptr;
};

template <size_t kChunk>
struct Zone {
  template <class Super>
  using Over = ZoneHeap<kChunk, Super>;
};

}  // namespace mmt::layers
