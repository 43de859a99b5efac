// These are the superblocks that one heap owns, by size class and by how full they are. Requests go
// to the fullest superblock that has a block left, so that the others become empty. Empty
// superblocks belong to no class any more. One thread at a time uses the groups, under the heap's
// lock.
#pragma once

#include <cstddef>
#include <utility>

#include <mmt/core/compiler.h>
#include <mmt/layers/general/hoard/superblock.h>

namespace mmt::layers {

template <size_t kClasses>
class SuperblockGroups {
 public:
  constexpr SuperblockGroups() = default;
  SuperblockGroups(const SuperblockGroups&) = delete;
  SuperblockGroups& operator=(const SuperblockGroups&) = delete;

  // The fullest of that class with a block left, not an empty one; null: there is none.
  MMT_ALWAYS_INLINE Superblock* fullest(size_t c) const {
    for (size_t group = Superblock::kMostFull; group != Superblock::kEmpty; --group) {
      if (Superblock* const first = classes_[c].lists[group]) return first;
    }
    return nullptr;
  }
  // The emptiest of that class, a quarter of which is free; null: there is none.
  Superblock* emptiest(size_t c) const {
    for (size_t group = Superblock::kLeastFull; group != Superblock::kMostFull; ++group) {
      if (Superblock* const first = classes_[c].lists[group]) return first;
    }
    return nullptr;
  }
  Superblock* any_empty() const { return empty_; }
  size_t empty_count() const { return empty_count_; }

  // More of that class is free than a superblock's worth, and than a quarter.
  bool is_too_empty(const Superblock* of_class) const {
    const Class& all = classes_[of_class->size_class()];
    return all.used + of_class->capacity() < all.held && all.used < all.held - all.held / 4;
  }

  // These take a block out of one, and put it back.
  MMT_ALWAYS_INLINE void* take(Superblock* superblock) {
    ++classes_[superblock->size_class()].used;
    void* const block = superblock->take();
    if (MMT_UNLIKELY(!superblock->is_in_group())) regroup(superblock);
    return block;
  }
  MMT_ALWAYS_INLINE void give(Superblock* superblock, void* block) {
    --classes_[superblock->size_class()].used;
    superblock->give(block);
    if (MMT_UNLIKELY(!superblock->is_in_group())) regroup(superblock);
  }

  void add(Superblock* superblock) {
    classes_[superblock->size_class()].used += superblock->used();
    link(superblock);
  }
  void remove(Superblock* superblock) {
    classes_[superblock->size_class()].used -= superblock->used();
    unlink(superblock);
  }

  // Calls visit(superblock) for each.
  template <class Visit>
  void for_each(Visit visit) const {
    const auto visit_list = [&](const Superblock* superblock) {
      for (; superblock != nullptr; superblock = superblock->next) visit(*superblock);
    };
    for (const Class& all : classes_) {
      for (const Superblock* first : all.lists) visit_list(first);
    }
    visit_list(empty_);
  }
  // A walk: each superblock is this owner's and listed where it should be, and the sums are right.
  bool is_consistent(const void* owner) const {
    bool is_right = true;
    Class sums[kClasses];
    size_t empty_count = 0;
    for_each([&](const Superblock& each) {
      const bool is_first = each.prev == nullptr;
      is_right &= each.owner() == owner && each.is_in_group();
      is_right &= (is_first ? list_of(&each) : each.prev->next) == &each;
      is_right &= each.is_empty() == (each.group() == Superblock::kEmpty);
      sums[each.size_class()].used += each.used();
      sums[each.size_class()].held += each.is_empty() ? 0 : each.capacity();
      empty_count += each.is_empty() ? 1 : 0;
    });
    for (size_t c = 0; c != kClasses; ++c) {
      is_right &= sums[c].used == classes_[c].used && sums[c].held == classes_[c].held;
    }
    return is_right && empty_count == empty_count_;
  }
  void forget() {
    for (Class& all : classes_) all = {};
    empty_ = nullptr;
    empty_count_ = 0;
  }

 private:
  struct Class {
    Superblock* lists[Superblock::kGroups] = {};  // none in the group of the empty
    size_t used = 0;                              // blocks in use
    size_t held = 0;                              // blocks of all that are not empty
  };

  Superblock* const& list_of(const Superblock* superblock) const {
    const size_t group = superblock->group();
    return group == Superblock::kEmpty ? empty_ : classes_[superblock->size_class()].lists[group];
  }
  Superblock*& list_of(const Superblock* superblock) {
    return const_cast<Superblock*&>(std::as_const(*this).list_of(superblock));
  }
  void link(Superblock* superblock) {
    superblock->set_group();
    Superblock*& first = list_of(superblock);
    superblock->prev = nullptr;
    superblock->next = first;
    if (first != nullptr) first->prev = superblock;
    first = superblock;
    if (superblock->group() == Superblock::kEmpty) {
      ++empty_count_;
    } else {
      classes_[superblock->size_class()].held += superblock->capacity();
    }
  }
  void unlink(Superblock* superblock) {
    if (superblock->group() == Superblock::kEmpty) {
      --empty_count_;
    } else {
      classes_[superblock->size_class()].held -= superblock->capacity();
    }
    Superblock* const next = superblock->next;
    if (next != nullptr) next->prev = superblock->prev;
    (superblock->prev != nullptr ? superblock->prev->next : list_of(superblock)) = next;
  }
  MMT_NOINLINE void regroup(Superblock* superblock) {
    unlink(superblock);
    link(superblock);
  }

  Class classes_[kClasses];
  Superblock* empty_ = nullptr;
  size_t empty_count_ = 0;
};

}  // namespace mmt::layers
