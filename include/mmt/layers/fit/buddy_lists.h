#pragma once
// This base class is what buddy systems have in common. It keeps free blocks in a list for each
// order, and a bit for each list that has one. It also keeps a mark where each free block begins.
// The class is not thread-safe.
//
// Blocks of order k have unit << k bytes. Places are distances from the first chunk.
#include <bit>
#include <cstddef>
#include <cstdint>

#include <mmt/layers/fit/chunk_list.h>
#include <mmt/layers/fit/free_tags.h>

namespace mmt::layers::fit {

template <class ArenaType>
class BuddyLists {
  using List = ChunkList<ArenaType>;

 public:
  static constexpr unsigned kOrders = 48;

  constexpr explicit BuddyLists(size_t unit) : unit_(unit) {}

  size_t bytes_of(unsigned order) const { return unit_ << order; }
  // The result is the order of the least block of as many bytes. kOrders means that there is none.
  unsigned order_for(size_t bytes) const {
    if (bytes <= unit_) return 0;
    const size_t units = (bytes - 1) / unit_;
    const auto order = static_cast<unsigned>(std::bit_width(units));
    return order < kOrders ? order : kOrders;
  }
  const List& list(unsigned order) const { return lists_[order]; }
  bool has(unsigned order) const { return (bits_ >> order & 1) != 0; }
  // The least order from this one on of which there is a free block; kOrders: none.
  unsigned first_from(unsigned order) const {
    const uint64_t bits = order >= kOrders ? 0 : bits_ & ~uint64_t{0} << order;
    return bits == 0 ? kOrders : static_cast<unsigned>(std::countr_zero(bits));
  }
  // The result is the size of the highest order of which there is a free block. 0 means that there
  // is none.
  size_t largest() const {
    return bits_ == 0 ? 0 : bytes_of(static_cast<unsigned>(std::bit_width(bits_)) - 1);
  }

  void insert(ArenaType& arena, FreeTags<ArenaType>& tags, Address at, unsigned order) {
    List::set_bytes(arena, at, bytes_of(order));
    lists_[order].push_front(arena, at);
    bits_ |= uint64_t{1} << order;
    tags.mark_begin(at);
  }
  void remove(ArenaType& arena, FreeTags<ArenaType>& tags, Address at, unsigned order) {
    lists_[order].remove(arena, at);
    if (lists_[order].is_empty()) bits_ &= ~(uint64_t{1} << order);
    tags.unmark_begin(at);
  }
  // Whether a free block of this order begins here.
  bool is_free(const ArenaType& arena, const FreeTags<ArenaType>& tags, Address at,
               unsigned order) const {
    return tags.begins(at) && List::bytes(arena, at) == bytes_of(order);
  }

 private:
  size_t unit_;
  uint64_t bits_ = 0;
  List lists_[kOrders];
};

}  // namespace mmt::layers::fit
