// Double of a policy: first fit over a plain list outside of its arena, in order of address, with
// coalescing. Slow and obvious. With Fault::kOverlap it gives out memory twice, as a broken policy
// would, once it splits a chunk for the third time.
#pragma once

#include <cstddef>
#include <vector>

#include <mmt/core/checked.h>
#include <mmt/layers/fit/policy.h>

namespace mmt::sim {

enum class Fault { kNone, kOverlap };

template <class ArenaType>
class ToyPolicy {
  using Address = layers::fit::Address;
  using FreeChunk = layers::fit::FreeChunk;

 public:
  static constexpr size_t kLeastChunk = 32;

  ToyPolicy(const layers::fit::Shape& shape, Fault fault)
      : arena_(shape.growth, shape.first_chunk(sizeof(typename ArenaType::Word))),
        shape_(shape),
        fault_(fault) {}

  Address allocate(size_t asked) {
    const size_t bytes = chunk_bytes(0, asked);
    for (size_t i = 0;; ++i) {
      if (i == free_.size()) {
        const layers::fit::Stretch grown = arena_.grow(bytes);
        if (grown.bytes == 0) return layers::fit::kNone;
        // A rest of less than a granule belongs to the next growth.
        if (top_ == layers::fit::kNone) top_ = grown.start;
        const size_t more = core::align_down(arena_.end() - top_, shape_.granule);
        put({top_, more});
        top_ += more;
        i = 0;
      }
      arena_.probe().visited();
      if (free_[i].bytes >= bytes) return cut(i, bytes);
    }
  }
  void free(Address at, size_t asked) {
    arena_.probe().visited();
    put({at - header(), chunk_bytes(at, asked)});
  }
  size_t usable(Address at, size_t asked) const { return chunk_bytes(at, asked) - header(); }
  size_t chunk_bytes(Address, size_t asked) const {
    return shape_.chunk_bytes(asked + (asked == 0), kLeastChunk, sizeof(typename ArenaType::Word));
  }
  template <class Visit>
  void for_each_free(Visit visit) const {
    for (const FreeChunk& one : free_) visit(one);
  }
  size_t free_chunks() const { return free_.size(); }
  size_t free_bytes() const {
    size_t bytes = 0;
    for (const FreeChunk& one : free_) bytes += one.bytes;
    return bytes;
  }
  const char* broken_invariant() const { return nullptr; }
  ArenaType& arena() { return arena_; }
  const ArenaType& arena() const { return arena_; }

 private:
  size_t header() const { return shape_.header_bytes(sizeof(typename ArenaType::Word)); }

  Address cut(size_t i, size_t bytes) {
    const Address at = free_[i].at;
    const bool is_broken = fault_ == Fault::kOverlap && splits_ == 2;
    if (free_[i].bytes == bytes) {
      free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++splits_;
      arena_.probe().split();
      free_[i].at += is_broken ? bytes - shape_.granule : bytes;
      free_[i].bytes -= is_broken ? bytes - shape_.granule : bytes;
    }
    return at + header();
  }
  void put(FreeChunk chunk) {
    size_t i = 0;
    while (i < free_.size() && free_[i].at < chunk.at) ++i;
    free_.insert(free_.begin() + static_cast<std::ptrdiff_t>(i), chunk);
    size_t joined = join(i);
    if (i > 0) joined += join(i - 1);
    if (joined != 0) arena_.probe().coalesced(joined);
  }
  size_t join(size_t i) {
    if (i + 1 >= free_.size() || free_[i].at + free_[i].bytes != free_[i + 1].at) return 0;
    free_[i].bytes += free_[i + 1].bytes;
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(i + 1));
    return 1;
  }

  ArenaType arena_;
  layers::fit::Shape shape_;
  Fault fault_;
  size_t splits_ = 0;
  Address top_ = layers::fit::kNone;  // behind the last chunk
  std::vector<FreeChunk> free_;
};

}  // namespace mmt::sim
