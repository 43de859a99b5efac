#pragma once
// This base class is what segregated fit and TLSF have in common. It keeps free chunks in a list
// for each class of sizes, and a bit for each list that has one. With coalescing, what is freed is
// joined at once with free neighbours. The class is not thread-safe.
//
//   Classes    kCount, and of(bytes): the class of a free chunk, which grows with its size
//   ListType   ChunkList, or one that notices what leaves it
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/fit/chunk_list.h>
#include <mmt/layers/fit/chunks.h>
#include <mmt/layers/fit/list_check.h>
#include <mmt/layers/fit/split.h>

namespace mmt::layers::fit {

template <class ArenaType, class Classes, class ListType = ChunkList<ArenaType>>
class ClassLists : public Chunks<ArenaType> {
  using Base = Chunks<ArenaType>;

 protected:
  using List = ListType;
  using Base::arena_, Base::tags_, Base::least_;

 public:
  static constexpr size_t kLeastChunk = List::kNode;

  void free(Address owners, size_t asked) {
    const Address chunk = Base::chunk_of(owners);
    const size_t bytes = Base::take_back(chunk, asked);
    arena_.probe().visited();
    give(chunk, bytes);
  }

  // The result is the largest size in the last class that has a chunk; only that class's chunks are
  // looked at. 0 means that nothing is free.
  size_t largest_free() const {
    const size_t c = last();
    size_t most = 0;
    if (c == Classes::kCount) return most;
    for (Address at = lists_[c].first(); at != kNone; at = List::next(arena_, at)) {
      most = std::max(most, List::bytes(arena_, at));
    }
    return most;
  }

  template <class Visit>
  void for_each_free(Visit&& visit) const {
    for (const List& list : lists_) {
      for (Address at = list.first(); at != kNone; at = List::next(arena_, at)) {
        visit(FreeChunk{at, List::bytes(arena_, at)});
      }
    }
  }

  const char* broken_invariant() const {
    ListCheck<ArenaType> check(*this, tags_, joins_);
    for (size_t c = 0; c < Classes::kCount; ++c) {
      const char* const fault = check.list(lists_[c].first(), [&](FreeChunk one, FreeChunk) {
        return classes_.of(one.bytes) == c ? nullptr : "a free chunk is in another class's list";
      });
      if (fault != nullptr) return fault;
      if (lists_[c].is_empty() == has(c)) return "a list's bit is wrong";
    }
    return check.counts();
  }

 protected:
  constexpr ClassLists(Shape shape, Classes classes, bool joins, SplitEnd split)
      : Base(shape, kLeastChunk), classes_(classes), joins_(joins), split_(split) {}

  const Classes& classes() const { return classes_; }
  const List& list(size_t c) const { return lists_[c]; }
  List& list(size_t c) { return lists_[c]; }
  bool has(size_t c) const { return (bits_[c / 64] >> (c % 64) & 1) != 0; }
  // The first class from this one on whose list has a chunk; kCount: none.
  size_t first_from(size_t c) const {
    if (c >= Classes::kCount) return Classes::kCount;
    uint64_t word = bits_[c / 64] & ~uint64_t{0} << (c % 64);
    for (size_t i = c / 64;;) {
      if (word != 0) return i * 64 + static_cast<size_t>(std::countr_zero(word));
      if (++i == kWords) return Classes::kCount;
      word = bits_[i];
    }
  }
  // The last class whose list has a chunk; kCount: none.
  size_t last() const {
    for (size_t i = kWords; i-- > 0;) {
      if (bits_[i] != 0) return i * 64 + static_cast<size_t>(std::bit_width(bits_[i])) - 1;
    }
    return Classes::kCount;
  }

  // What is needed of a free chunk of this class; the rest goes to its own class's list.
  Address take(Address at, size_t c, size_t needed) {
    const size_t bytes = List::bytes(arena_, at);
    remove(at, c, bytes);
    if (bytes - needed < least_) {
      if (joins_) tags_.unmark(at, bytes);
      return Base::hand_out(at, bytes, needed);
    }
    arena_.probe().split();
    const Cut cut = cut_chunk(split_, at, bytes, needed);
    if (joins_) {
      if (cut.rest == at) {
        tags_.unmark_end(at + bytes);
      } else {
        tags_.unmark_begin(at);
        tags_.mark_begin(cut.rest);
      }
      tags_.mark_end(arena_, cut.rest, cut.rest_bytes);
    }
    insert(cut.rest, cut.rest_bytes);
    return Base::hand_out(cut.taken, needed, needed);
  }

  // A chunk of at least so many bytes from new memory, in its list; kNone: there is no memory.
  MMT_COLD Address grow(size_t needed) {
    const size_t last = joins_ ? Base::free_at_top() : 0;
    // Which a search by rounded sizes passes over.
    if (last >= needed) return Base::top() - last;
    const Stretch more = Base::extend(needed - last);
    if (more.bytes == 0) return kNone;
    return give(more.start, more.bytes);
  }

 private:
  static constexpr size_t kWords = (Classes::kCount + 63) / 64;

  // Puts a chunk into its list, as part of a larger one if it joins neighbours: of that the
  // address.
  Address give(Address at, size_t bytes) {
    if (joins_) {
      const Address behind = at + bytes;
      const bool has_before = tags_.ends(at);
      const bool has_behind = tags_.begins(behind);
      if (has_before) {
        const size_t before = tags_.bytes_before(arena_, at);
        at -= before;
        bytes += before;
        remove(at, classes_.of(before), before);
        tags_.unmark_end(at + before);
      } else {
        tags_.mark_begin(at);
      }
      if (has_behind) {
        const size_t after = List::bytes(arena_, behind);
        bytes += after;
        remove(behind, classes_.of(after), after);
        tags_.unmark_begin(behind);
      }
      if (has_before || has_behind) arena_.probe().coalesced(has_before + has_behind);
      tags_.mark_end(arena_, at, bytes);
    }
    insert(at, bytes);
    return at;
  }
  MMT_ALWAYS_INLINE void insert(Address at, size_t bytes) {
    const size_t c = classes_.of(bytes);
    List::set_bytes(arena_, at, bytes);
    lists_[c].push_front(arena_, at);
    bits_[c / 64] |= uint64_t{1} << (c % 64);
    Base::count_free(bytes);
  }
  MMT_ALWAYS_INLINE void remove(Address at, size_t c, size_t bytes) {
    lists_[c].remove(arena_, at);
    if (lists_[c].is_empty()) bits_[c / 64] &= ~(uint64_t{1} << (c % 64));
    Base::count_taken(bytes);
  }

  Classes classes_;
  bool joins_;
  SplitEnd split_;
  List lists_[Classes::kCount];
  uint64_t bits_[kWords] = {};
};

}  // namespace mmt::layers::fit
