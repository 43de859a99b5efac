// This is a stack of objects, the topmost of which may grow (GNU's obstacks, the paper's section
// 5.2). It lies in chunks of kChunk bytes, or more where one object needs more. A call of free()
// ends an object and all that came after it, as they lie behind it. The heap is for one thread.
//
// The topmost object begins at base() and grows to next_free(), until finish() makes it a block, at
// the same place. Growing may move the object to another chunk. A call of malloc(n) grows the
// object by n bytes and finishes it; most often the object was empty. A call that returns false or
// null has changed nothing.
//
// Invariant: base_ <= next_ <= end_, all within the top chunk; base_ and end_ are aligned.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>

#include <mmt/core/check.h>
#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/heap.h>
#include <mmt/layers/special/chunk_stack.h>

namespace mmt::layers {

template <size_t kChunk, class Super>
class ObstackHeap : public Super {
  static_assert(!kIsFreeingYounger<Super>,
                "ObstackHeap: its super-heap frees younger blocks with each, as ObstackHeap does");
  static_assert(Heap<Super>, "ObstackHeap: its super-heap has no malloc(size_t) and free(void*)");
  static_assert(FullyAlignedHeap<Super>, "ObstackHeap: its super-heap's blocks are not aligned");
  static_assert(!kIsOneSize<Super>,
                "ObstackHeap: its super-heap serves one size only, but chunks have many; put "
                "HybridHeap below it");
  static_assert(kChunk <= kMaxRequest / 2, "ObstackHeap: kChunk is no size for a chunk");

 public:
  static constexpr size_t kAlignment = kBlockAlignment;
  static constexpr size_t kSkew = 0;
  static constexpr bool kContiguous = false;
  static constexpr bool kKeepsAll = false;
  static constexpr bool kSharedOwns = false;
  static constexpr bool kFreesYounger = true;

  using Super::Super;
  ~ObstackHeap() { chunks_.pop_to(super(), nullptr); }

  MMT_ALWAYS_INLINE void* malloc(size_t bytes) {
    // No bytes count as too many: the slow path serves them.
    if (MMT_UNLIKELY(bytes - 1 >= room())) return malloc_elsewhere(bytes);
    return end_object(next_ + bytes);
  }
  // An address that lies in none of the chunks ends the program.
  MMT_ALWAYS_INLINE void free(void* block) {
    if (MMT_UNLIKELY(!ChunkStack::is_in(chunks_.top(), end_, block))) return free_below(block);
    base_ = next_ = static_cast<char*>(block);
  }
  void clear() {
    chunks_.pop_to(super(), nullptr);
    base_ = next_ = end_ = nullptr;
  }

  // --- the topmost object ---

  MMT_ALWAYS_INLINE bool grow(std::same_as<char> auto byte) {
    if (MMT_UNLIKELY(next_ == end_) && !move_object(1)) return false;
    *next_++ = byte;
    return true;
  }
  MMT_ALWAYS_INLINE bool grow(const void* data, size_t bytes) {
    if (MMT_UNLIKELY(bytes - 1 >= room())) return grow_elsewhere(data, bytes);
    std::memcpy(next_, data, bytes);
    next_ += bytes;
    return true;
  }
  // The object grows by bytes of any value.
  MMT_ALWAYS_INLINE bool blank(size_t bytes) {
    if (!reserve(bytes)) return false;
    next_ += bytes;
    return true;
  }
  // The object shrinks by at most its size.
  void shrink(size_t bytes) {
    MMT_DEBUG_CHECK(bytes <= object_size(), "ObstackHeap: shrunk by more than there is", bytes);
    next_ -= bytes;
  }
  // Moves the object, if need be, to where it can grow by so many bytes in place.
  MMT_ALWAYS_INLINE bool reserve(size_t bytes) {
    return MMT_LIKELY(bytes <= room()) || move_object(bytes);
  }
  // Null where the object is empty and there is no memory for it: no two blocks are one.
  MMT_ALWAYS_INLINE void* finish() {
    if (MMT_UNLIKELY(next_ == base_)) return malloc_elsewhere(1);
    return end_object(next_);
  }

  char* base() const { return base_; }
  char* next_free() const { return next_; }
  size_t object_size() const { return static_cast<size_t>(next_ - base_); }
  // By how much the object can grow where it lies.
  size_t room() const { return static_cast<size_t>(end_ - next_); }
  // Nothing was allocated, or all of it was freed.
  bool is_empty() const {
    ChunkStack::Chunk* const top = chunks_.top();
    return top == nullptr || (top->before == nullptr && next_ == top->first());
  }
  // It is the memory of all chunks.
  size_t memory_used() const { return chunks_.bytes(); }

  size_t get_size(const void* block) const = delete;
  bool owns(const void* address) const { return chunks_.find(address) != nullptr; }
  bool expand(void* block, size_t bytes) = delete;  // only the object that is not finished grows
  void* remap(void* block, size_t bytes) = delete;
  size_t good_size(size_t bytes) const {
    return bytes > kMaxRequest ? 0 : core::align_up(bytes == 0 ? 1 : bytes, kBlockAlignment);
  }
  Block allocate(size_t bytes, size_t alignment) = delete;  // free() would not reach the gap

 private:
  Super& super() { return *this; }

  // There is room behind the object, or it is not empty: so there is a chunk, which saves callers
  // their test for null.
  MMT_ALWAYS_INLINE void* end_object(char* end) {
    void* const object = base_;
    if (object == nullptr) __builtin_unreachable();
    const auto aligned = core::align_up(reinterpret_cast<uintptr_t>(end), kBlockAlignment);
    base_ = next_ = reinterpret_cast<char*>(aligned);
    return object;
  }
  MMT_NOINLINE void* malloc_elsewhere(size_t bytes) {
    const size_t needed = bytes == 0 ? 1 : bytes;
    return reserve(needed) ? end_object(next_ + needed) : nullptr;
  }
  MMT_NOINLINE bool grow_elsewhere(const void* data, size_t bytes) {
    if (bytes == 0) return true;
    return move_object(bytes) && grow(data, bytes);
  }
  // To a new chunk, with some room to spare; a chunk that held nothing else goes.
  MMT_NOINLINE bool move_object(size_t more) {
    const size_t have = object_size();
    if (more > kMaxRequest / 2 || have > kMaxRequest / 2 - more) return false;
    const size_t wanted = ChunkStack::kHeader + have + more + (have >> 3) + 100;
    ChunkStack::Chunk* const last = chunks_.top();
    ChunkStack::Chunk* const chunk = chunks_.push(super(), wanted < kChunk ? kChunk : wanted);
    if (chunk == nullptr) return false;
    if (have != 0) std::memcpy(chunk->first(), base_, have);
    if (last != nullptr && base_ == last->first()) chunks_.pop_second(super());
    base_ = chunk->first();
    next_ = base_ + have;
    end_ = chunk->end;
    return true;
  }
  MMT_NOINLINE void free_below(void* block) {
    ChunkStack::Chunk* const chunk = chunks_.find(block);
    MMT_CHECK(chunk != nullptr, "ObstackHeap: the freed object is in none of its chunks",
              reinterpret_cast<uintptr_t>(block));
    chunks_.pop_to(super(), chunk);
    base_ = next_ = static_cast<char*>(block);
    end_ = chunk->end;
  }

  ChunkStack chunks_;
  // In this order: compilers would store two neighbours by a vector, which takes longer.
  char* base_ = nullptr;
  char* end_ = nullptr;
  char* next_ = nullptr;
};

template <size_t kChunk>
struct Obstack {
  template <class Super>
  using Over = ObstackHeap<kChunk, Super>;
};

}  // namespace mmt::layers
