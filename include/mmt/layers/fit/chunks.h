#pragma once
// This base class is what policies have in common. It has an arena that is cut into chunks one
// behind the other, their headers, marks of those that are free, and counts. The class is not
// thread-safe.
//
// The arena grows by whole pages, and chunks are whole granules. What is left behind the last chunk
// is less than a granule, and belongs to the next growth.
#include <cstddef>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/free_tags.h>
#include <mmt/layers/fit/policy.h>
#include <mmt/layers/heap.h>

namespace mmt::layers::fit {

template <class ArenaType>
class Chunks {
 public:
  using Word = typename ArenaType::Word;
  static constexpr size_t kWord = sizeof(Word);

  // `node`: bytes that a free chunk holds at least.
  constexpr Chunks(Shape shape, size_t node)
      : shape_(shape),
        header_(shape.header_bytes(kWord)),
        least_(core::align_up(node, shape.granule)),
        top_(shape.first_chunk(kWord)),
        arena_(shape.growth, top_),
        tags_(shape.granule, top_) {}

  ArenaType& arena() { return arena_; }
  const ArenaType& arena() const { return arena_; }
  const Shape& shape() const { return shape_; }
  size_t free_chunks() const { return free_chunks_; }
  size_t free_bytes() const { return free_bytes_; }

  size_t chunk_bytes(Address at, size_t asked) const { return live_bytes(at - header_, asked); }
  size_t usable(Address at, size_t asked) const { return chunk_bytes(at, asked) - header_; }

 protected:
  // The result is the size of the chunk for a request. 0 means that no chunk is so large.
  size_t bytes_for(size_t asked) const {
    if (MMT_UNLIKELY(asked > kMaxRequest)) return 0;
    return shape_.chunk_bytes(asked, least_, kWord);
  }
  Address chunk_of(Address owners) const { return owners - header_; }

  // The function gives a chunk to its owner, which asked for `needed` bytes of it.
  Address hand_out(Address chunk, size_t bytes, size_t needed) {
    if (MMT_LIKELY(header_ != 0)) {
      arena_.store(chunk, static_cast<Word>(bytes));
    } else {
      tags_.mark_slack(chunk + needed, chunk + bytes);
    }
    return chunk + header_;
  }
  size_t live_bytes(Address chunk, size_t asked) const {
    if (MMT_LIKELY(header_ != 0)) return arena_.load(chunk);
    const size_t needed = bytes_for(asked);
    return needed + tags_.slack_bytes(chunk + needed);
  }
  // The size of a chunk that its owner gives back.
  size_t take_back(Address chunk, size_t asked) {
    const size_t bytes = live_bytes(chunk, asked);
    if (MMT_UNLIKELY(header_ == 0)) tags_.unmark_slack(chunk + bytes_for(asked), chunk + bytes);
    return bytes;
  }

  // So many bytes more behind the last chunk, a multiple of the granule, or more. No bytes: no
  // memory is left, and nothing has changed.
  Stretch extend(size_t bytes) {
    const Address start = top_;
    if (MMT_UNLIKELY(bytes > kMaxRequest)) return {};
    const Address end = arena_.end();
    const size_t rest = end > start ? end - start : 0;
    if (!tags_.cover(start + bytes + shape_.growth, start)) return {};
    if (arena_.grow(bytes - rest).bytes == 0) return {};
    const size_t got = core::align_down(arena_.end() - start, shape_.granule);
    top_ = start + got;
    return {start, got};
  }
  // Where the last chunk ends.
  Address top() const { return top_; }
  // The result is the size of the last chunk if it is free, where free chunks are marked. 0 means
  // that the last chunk is live, or that there is none.
  size_t free_at_top() const {
    const bool is_free = arena_.end() != kNone && tags_.ends(top_);
    return is_free ? tags_.bytes_before(arena_, top_) : 0;
  }

  void count_free(size_t bytes) {
    ++free_chunks_;
    free_bytes_ += bytes;
  }
  void count_taken(size_t bytes) {
    --free_chunks_;
    free_bytes_ -= bytes;
  }

  Shape shape_;
  size_t header_;
  size_t least_;
  Address top_;
  size_t free_chunks_ = 0;
  size_t free_bytes_ = 0;
  ArenaType arena_;
  FreeTags<ArenaType> tags_;
};

}  // namespace mmt::layers::fit
