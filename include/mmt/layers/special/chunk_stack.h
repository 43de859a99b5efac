// This is a stack of chunks of memory from a heap, linked through their first bytes. The object
// that contains the stack gives back what the stack holds. The stack is for one thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

class ChunkStack {
 public:
  struct Chunk {
    char* first() { return reinterpret_cast<char*>(this + 1); }
    bool has(const void* address) const { return is_in(this, end, address); }

    Chunk* before;
    char* end;  // of whole blocks
  };
  static_assert(sizeof(Chunk) % kBlockAlignment == 0);
  static constexpr size_t kHeader = sizeof(Chunk);

  // Nothing lies in an empty chunk.
  static bool is_in(const Chunk* begin, const char* end, const void* address) {
    const auto place = reinterpret_cast<uintptr_t>(address);
    return place >= reinterpret_cast<uintptr_t>(begin) && place < reinterpret_cast<uintptr_t>(end);
  }

  ChunkStack() = default;
  ChunkStack(const ChunkStack&) = delete;
  ChunkStack& operator=(const ChunkStack&) = delete;

  Chunk* top() const { return top_; }
  // A chunk of so many bytes, header included; null, and nothing changed: no memory.
  template <class Source>
  Chunk* push(Source& source, size_t bytes) {
    auto* const chunk = static_cast<Chunk*>(source.malloc(bytes));
    if (chunk == nullptr) return nullptr;
    *chunk = {top_, chunk->first() + core::align_down(bytes - kHeader, kBlockAlignment)};
    top_ = chunk;
    return chunk;
  }
  // Gives back what is above that chunk, or all for null.
  template <class Source>
  void pop_to(Source& source, const Chunk* last) {
    while (top_ != last) {
      Chunk* const before = top_->before;
      source.free(top_);
      top_ = before;
    }
  }
  // Gives back the chunk below the top.
  template <class Source>
  void pop_second(Source& source) {
    Chunk* const second = top_->before;
    top_->before = second->before;
    source.free(second);
  }

  Chunk* find(const void* address) const {
    Chunk* chunk = top_;
    while (chunk != nullptr && !chunk->has(address)) chunk = chunk->before;
    return chunk;
  }
  // The result is the bytes of all chunks. The function walks through them.
  size_t bytes() const {
    size_t sum = 0;
    for (const Chunk* chunk = top_; chunk != nullptr; chunk = chunk->before) {
      sum += static_cast<size_t>(chunk->end - reinterpret_cast<const char*>(chunk));
    }
    return sum;
  }

 private:
  Chunk* top_ = nullptr;
};

}  // namespace mmt::layers
