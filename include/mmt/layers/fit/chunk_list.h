#pragma once
// This is a doubly linked list of free chunks, which lies within them. A chunk holds the next one,
// the one before, and the size. The size comes last, where the boundary tag of the least chunk is,
// too (fit/free_tags.h). The list is not thread-safe.
#include <cstddef>

#include <mmt/layers/fit/arena.h>

namespace mmt::layers::fit {

template <class ArenaType>
class ChunkList {
 public:
  using Word = typename ArenaType::Word;
  static constexpr size_t kNode = 3 * sizeof(Word);

  static Address next(const ArenaType& arena, Address at) { return arena.load(at); }
  static Address previous(const ArenaType& arena, Address at) {
    return arena.load(at + sizeof(Word));
  }
  static size_t bytes(const ArenaType& arena, Address at) {
    return arena.load(at + 2 * sizeof(Word));
  }
  static void set_bytes(ArenaType& arena, Address at, size_t value) {
    arena.store(at + 2 * sizeof(Word), static_cast<Word>(value));
  }

  Address first() const { return first_; }
  bool is_empty() const { return first_ == kNone; }

  void push_front(ArenaType& arena, Address at) { link(arena, kNone, at, first_); }
  // kNone: at the front.
  void insert_behind(ArenaType& arena, Address before, Address at) {
    link(arena, before, at, before == kNone ? first_ : next(arena, before));
  }
  void remove(ArenaType& arena, Address at) {
    const Address after = next(arena, at);
    const Address before = previous(arena, at);
    if (before == kNone) {
      first_ = after;
    } else {
      set_next(arena, before, after);
    }
    if (after != kNone) set_previous(arena, after, before);
  }
  // Another chunk in the place of this one.
  void replace(ArenaType& arena, Address at, Address by) {
    const Address after = next(arena, at);
    link(arena, previous(arena, at), by, after);
  }

 private:
  static void set_next(ArenaType& arena, Address at, Address value) {
    arena.store(at, static_cast<Word>(value));
  }
  static void set_previous(ArenaType& arena, Address at, Address value) {
    arena.store(at + sizeof(Word), static_cast<Word>(value));
  }
  void link(ArenaType& arena, Address before, Address at, Address after) {
    set_next(arena, at, after);
    set_previous(arena, at, before);
    if (before == kNone) {
      first_ = at;
    } else {
      set_next(arena, before, at);
    }
    if (after != kNone) set_previous(arena, after, at);
  }

  Address first_ = kNone;
};

}  // namespace mmt::layers::fit
