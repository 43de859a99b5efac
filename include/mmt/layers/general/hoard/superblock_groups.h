// The superblocks that one heap owns, by size class and by how full they are: requests go to the
// fullest that has a block left, so that the others become empty. Empty ones serve any class. One
// thread: under the heap's lock.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/layers/general/hoard/superblock.h>

namespace mmt::layers {

template <size_t kClasses>
class SuperblockGroups {
  static_assert(kClasses <= 64, "SuperblockGroups: there are too many size classes");

 public:
  constexpr SuperblockGroups() = default;
  SuperblockGroups(const SuperblockGroups&) = delete;
  SuperblockGroups& operator=(const SuperblockGroups&) = delete;

  // Bytes of all blocks; of those in use.
  size_t held_bytes() const { return held_bytes_; }
  size_t used_bytes() const { return used_bytes_; }

  // The fullest of that class with a block left, not an empty one; null: there is none.
  MMT_ALWAYS_INLINE Superblock* fullest(size_t c) const {
    for (size_t group = Superblock::kMostFull; group != Superblock::kEmpty; --group) {
      if (Superblock* const first = lists_[c][group]) return first;
    }
    return nullptr;
  }
  // An empty one, of any class; null: there is none.
  Superblock* any_empty() const { return empty_; }
  // The emptiest, of any class, a quarter of which at least is free; null: there is none.
  Superblock* emptiest() const {
    if (empty_ != nullptr) return empty_;
    for (size_t group = Superblock::kLeastFull; group != Superblock::kMostFull; ++group) {
      if (classes_[group] == 0) continue;
      return lists_[static_cast<unsigned>(std::countr_zero(classes_[group]))][group];
    }
    return nullptr;
  }

  // A block out of one, and back.
  MMT_ALWAYS_INLINE void* take(Superblock* superblock) {
    void* const block = superblock->take();
    used_bytes_ += superblock->size();
    if (MMT_UNLIKELY(!superblock->is_in_group())) regroup(superblock);
    return block;
  }
  MMT_ALWAYS_INLINE void give(Superblock* superblock, void* block) {
    superblock->give(block);
    used_bytes_ -= superblock->size();
    if (MMT_UNLIKELY(!superblock->is_in_group())) regroup(superblock);
  }

  void add(Superblock* superblock) {
    held_bytes_ += superblock->bytes();
    used_bytes_ += superblock->used() * superblock->size();
    link(superblock);
  }
  void remove(Superblock* superblock) {
    held_bytes_ -= superblock->bytes();
    used_bytes_ -= superblock->used() * superblock->size();
    unlink(superblock);
  }

  // visit(superblock) for each.
  template <class Visit>
  void for_each(Visit visit) const {
    const auto visit_list = [&](const Superblock* superblock) {
      for (; superblock != nullptr; superblock = superblock->next) visit(*superblock);
    };
    for (const auto& lists : lists_) {
      for (const Superblock* first : lists) visit_list(first);
    }
    visit_list(empty_);
  }
  void forget() {
    for (auto& lists : lists_) {
      for (Superblock*& first : lists) first = nullptr;
    }
    for (uint64_t& classes : classes_) classes = 0;
    empty_ = nullptr;
    held_bytes_ = used_bytes_ = 0;
  }

 private:
  Superblock*& list_of(const Superblock* superblock) {
    const size_t group = superblock->group();
    return group == Superblock::kEmpty ? empty_ : lists_[superblock->size_class()][group];
  }
  void link(Superblock* superblock) {
    superblock->set_group();
    Superblock*& first = list_of(superblock);
    superblock->prev = nullptr;
    superblock->next = first;
    if (first != nullptr) first->prev = superblock;
    first = superblock;
    classes_[superblock->group()] |= uint64_t{1} << superblock->size_class();
  }
  void unlink(Superblock* superblock) {
    Superblock* const next = superblock->next;
    Superblock*& first = list_of(superblock);
    if (next != nullptr) next->prev = superblock->prev;
    (superblock->prev != nullptr ? superblock->prev->next : first) = next;
    if (first == nullptr) {
      classes_[superblock->group()] &= ~(uint64_t{1} << superblock->size_class());
    }
  }
  MMT_NOINLINE void regroup(Superblock* superblock) {
    unlink(superblock);
    link(superblock);
  }

  Superblock* lists_[kClasses][Superblock::kGroups] = {};  // none is in the group of the empty
  Superblock* empty_ = nullptr;
  uint64_t classes_[Superblock::kGroups] = {};  // those that have some in the group
  size_t held_bytes_ = 0;
  size_t used_bytes_ = 0;
};

}  // namespace mmt::layers
