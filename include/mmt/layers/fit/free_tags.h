#pragma once
// Knuth's boundary tags (1968), whose marks lie beside the arena. They tell where free chunks begin
// and end. So a neighbour is found at once, whether or not live chunks have a header. Each granule
// has two bits: a free chunk ends there (its last byte is the one before), a free chunk begins
// there.
//
// A free chunk's last word holds its size. A node whose last field is its size needs no word more:
// in the least chunk both are the same. Before the first chunk and behind the last nothing is free.
// It is not thread-safe.
#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/layers/fit/arena.h>
#include <mmt/layers/fit/side_table.h>

namespace mmt::layers::fit {

template <class ArenaType>
class FreeTags {
 public:
  using Word = typename ArenaType::Word;

  // Chunks begin a multiple of `granule`, a power of two, behind `first`.
  constexpr FreeTags(size_t granule, Address first)
      : first_(first), shift_(static_cast<unsigned>(std::countr_zero(granule))) {}

  // Chunks that end at `end` or before may be asked about and marked from now on. Must be called
  // before the arena grows, whose last chunk ends at `top`. False: no memory, all is as it was.
  bool cover(Address end, Address top) {
    return words_.cover(index(end) / kPerWord + 1, index(top) / kPerWord + 1);
  }

  bool begins(Address at) const { return (bits(at) & kBegins) != 0; }
  // A free chunk ends right before this address.
  bool ends(Address at) const { return (bits(at) & kEnds) != 0; }
  // The result is the size of the free chunk that ends right before this address.
  static size_t bytes_before(const ArenaType& arena, Address at) {
    return arena.load(at - sizeof(Word));
  }

  // A chunk becomes free, or is so no more.
  void mark(ArenaType& arena, Address at, size_t bytes) {
    mark_begin(at);
    mark_end(arena, at, bytes);
  }
  void unmark(Address at, size_t bytes) {
    unmark_begin(at);
    unmark_end(at + bytes);
  }

  // One end alone: where the other stays, or nobody asks for it.
  void mark_begin(Address at) { set(at, kBegins); }
  void unmark_begin(Address at) { unset(at, kBegins); }
  void mark_end(ArenaType& arena, Address at, size_t bytes) {
    mark_end_bit(at + bytes);
    arena.store(at + bytes - sizeof(Word), static_cast<Word>(bytes));
  }
  // Without the size: for nodes of which it is not the last field.
  void mark_end_bit(Address end) { set(end, kEnds); }
  void unmark_end(Address end) { unset(end, kEnds); }

  // Without header words, a live chunk is known by what its owner asked for, but may be larger:
  // what was left over made no chunk. At each granule of that a chunk seems to end, which is
  // nobody's lie: where the live chunk itself ends, no free one does. Empty where from == to.
  void mark_slack(Address from, Address to) {
    for (; from != to; from += granule()) set(from, kEnds);
  }
  size_t slack_bytes(Address from) const {
    Address to = from;
    while (ends(to)) to += granule();
    return to - from;
  }
  void unmark_slack(Address from, Address to) {
    for (; from != to; from += granule()) unset(from, kEnds);
  }

 private:
  static constexpr uint64_t kEnds = 1;
  static constexpr uint64_t kBegins = 2;
  static constexpr size_t kPerWord = 32;

  size_t granule() const { return size_t{1} << shift_; }
  size_t index(Address at) const { return (at - first_) >> shift_; }
  static unsigned place(size_t index) { return 2 * static_cast<unsigned>(index % kPerWord); }

  uint64_t bits(Address at) const {
    const size_t i = index(at);
    return words_[i / kPerWord] >> place(i);
  }
  void set(Address at, uint64_t bit) {
    const size_t i = index(at);
    words_[i / kPerWord] |= bit << place(i);
  }
  void unset(Address at, uint64_t bit) {
    const size_t i = index(at);
    words_[i / kPerWord] &= ~(bit << place(i));
  }

  SideTable<uint64_t> words_;
  Address first_;
  unsigned shift_;
};

}  // namespace mmt::layers::fit
