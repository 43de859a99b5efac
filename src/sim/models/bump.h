// The policy that never uses memory again: what any other saves is measured against it.
#pragma once

#include <cstddef>

#include <mmt/core/checked.h>
#include <mmt/layers/fit/policy.h>
#include <mmt/layers/heap.h>

namespace mmt::sim {

template <class ArenaType>
class Bump {
  using Word = typename ArenaType::Word;

 public:
  static constexpr size_t kLeastChunk = 1;

  explicit Bump(const layers::fit::Shape& shape)
      : arena_(shape.growth, shape.first_chunk(sizeof(Word))), shape_(shape) {}

  layers::fit::Address allocate(size_t bytes) {
    if (bytes > layers::kMaxRequest) return layers::fit::kNone;
    const size_t chunk = chunk_bytes(0, bytes);
    while (end_ - next_ < chunk) {
      const layers::fit::Stretch grown = arena_.grow(chunk);
      if (grown.bytes == 0) return layers::fit::kNone;
      if (next_ == layers::fit::kNone) next_ = grown.start;
      end_ = grown.start + grown.bytes;
    }
    const layers::fit::Address owner = next_ + header();
    if (header() != 0) arena_.store(next_, static_cast<Word>(chunk));
    next_ += chunk;
    return owner;
  }
  void free(layers::fit::Address at, size_t bytes) { freed_ += chunk_bytes(at, bytes); }

  size_t usable(layers::fit::Address at, size_t bytes) const {
    return chunk_bytes(at, bytes) - header();
  }
  size_t chunk_bytes(layers::fit::Address, size_t bytes) const {
    return shape_.chunk_bytes(bytes + (bytes == 0), kLeastChunk, sizeof(Word));
  }
  template <class Visit>
  void for_each_free(Visit) const {}
  size_t free_chunks() const { return 0; }
  size_t free_bytes() const { return 0; }
  // What it never uses again, too.
  size_t uncut_bytes() const { return end_ - next_ + freed_; }
  const char* broken_invariant() const {
    return next_ <= end_ ? nullptr : "the next block begins behind the end";
  }
  ArenaType& arena() { return arena_; }
  const ArenaType& arena() const { return arena_; }

 private:
  size_t header() const { return shape_.header_bytes(sizeof(Word)); }

  ArenaType arena_;
  layers::fit::Shape shape_;
  size_t freed_ = 0;
  layers::fit::Address next_ = layers::fit::kNone;
  layers::fit::Address end_ = layers::fit::kNone;
};

}  // namespace mmt::sim
