#pragma once
// Binary buddies (Knowlton, 1965). A block's size is a power of two, and its place is a multiple of
// its size. A block is halved until the request just fits, and joined with its other half once both
// are free. This is a fit policy (fit/policy.h).
//
// A place counts from the first chunk, and a header lies inside of the block. Memory that the heap
// grows by is divided into the largest blocks that their places allow. A search looks at one block,
// however often that is halved. A free looks at its block and at each buddy that joins it. All that
// join at one free are one coalescence.
#include <algorithm>
#include <bit>
#include <cstddef>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/buddy_lists.h>
#include <mmt/layers/fit/chunks.h>
#include <mmt/layers/fit/list_check.h>

namespace mmt::layers::fit {

template <class ArenaType>
class Buddy : public Chunks<ArenaType> {
  using Base = Chunks<ArenaType>;

 protected:
  using List = ChunkList<ArenaType>;
  using Lists = BuddyLists<ArenaType>;
  using Base::arena_, Base::tags_, Base::header_;
  static constexpr unsigned kOrders = Lists::kOrders;

 public:
  using typename Base::Word;
  static constexpr size_t kLeastChunk = List::kNode;

  constexpr explicit Buddy(Shape shape)
      : Base(shape, kLeastChunk),
        blocks_(std::max(std::bit_ceil(kLeastChunk), shape.granule)),
        first_(Base::top_),
        edge_(Base::top_) {}

  Address allocate(size_t asked) {
    const size_t needed = Base::bytes_for(asked);
    const unsigned order = needed == 0 ? kOrders : blocks_.order_for(needed);
    return MMT_UNLIKELY(order == kOrders) ? kNone : hand_out(allocate_block(order), order, blocks_);
  }

  void free(Address owners, size_t asked) {
    const Address chunk = Base::chunk_of(owners);
    arena_.probe().visited();
    free_block(chunk, blocks_.order_for(chunk_bytes(owners, asked)));
  }

  size_t chunk_bytes(Address at, size_t asked) const {
    if (header_ != 0) return arena_.load(at - header_);
    return blocks_.bytes_of(blocks_.order_for(Base::bytes_for(asked)));
  }
  size_t usable(Address at, size_t asked) const { return chunk_bytes(at, asked) - header_; }

  size_t largest_free() const { return blocks_.largest(); }
  // Behind the last block.
  size_t uncut_bytes() const { return Base::top() - edge_; }

  template <class Visit>
  void for_each_free(Visit&& visit) const {
    visit_blocks(blocks_, visit);
  }

  const char* broken_invariant() const {
    ListCheck<ArenaType> check(*this, tags_, false);
    const char* const fault = check_blocks(check);
    return fault != nullptr ? fault : check.counts();
  }

 protected:
  const Lists& blocks() const { return blocks_; }
  // Up to where the arena is divided into blocks.
  Address edge() const { return edge_; }

  Address hand_out(Address block, unsigned order, const Lists& lists) {
    if (block == kNone) return kNone;
    if (header_ != 0) arena_.store(block, static_cast<Word>(lists.bytes_of(order)));
    return block + header_;
  }

  Address allocate_block(unsigned order) {
    unsigned found = blocks_.first_from(order);
    if (MMT_UNLIKELY(found == kOrders)) {
      if (!grow(order)) return kNone;
      found = blocks_.first_from(order);
    }
    return halve(blocks_, found, order);
  }
  // Cuts the first free block of an order down to one of another: of that the address.
  Address halve(Lists& lists, unsigned from, unsigned to) {
    const Address at = lists.list(from).first();
    arena_.probe().visited();
    lists.remove(arena_, tags_, at, from);
    Base::count_taken(lists.bytes_of(from));
    while (from > to) {
      --from;
      arena_.probe().split();
      lists.insert(arena_, tags_, at + lists.bytes_of(from), from);
      Base::count_free(lists.bytes_of(from));
    }
    return at;
  }
  // Joins a block with its buddies, as far as they are free.
  void free_block(Address at, unsigned order) {
    const unsigned own = order;
    size_t place = at - first_;
    for (; order + 1 < kOrders; ++order) {
      const size_t bytes = blocks_.bytes_of(order);
      const Address buddy = first_ + (place ^ bytes);
      if (buddy + bytes > edge_ || !blocks_.is_free(arena_, tags_, buddy, order)) break;
      arena_.probe().visited();
      blocks_.remove(arena_, tags_, buddy, order);
      Base::count_taken(bytes);
      place &= ~bytes;
    }
    if (order != own) arena_.probe().coalesced(1);
    blocks_.insert(arena_, tags_, first_ + place, order);
    Base::count_free(blocks_.bytes_of(order));
  }

  // Memory for so many bytes behind the next place that is a multiple of `alignment`. False: there
  // is none, and nothing has changed.
  bool grow_to(size_t alignment, size_t bytes) {
    const Address end = first_ + core::align_up(edge_ - first_, alignment) + bytes;
    if (end <= Base::top()) return true;
    const size_t missing = core::align_up(end - Base::top(), Base::shape_.granule);
    return Base::extend(missing).bytes != 0;
  }
  // Divides what lies before an address into free blocks, as large as their places allow.
  void divide_up_to(Address end) {
    const size_t least = blocks_.bytes_of(0);
    while (edge_ + least <= end) {
      const size_t place = (edge_ - first_) / least;
      const auto fitting = static_cast<unsigned>(std::bit_width((end - edge_) / least)) - 1;
      const auto aligned = place == 0 ? fitting : static_cast<unsigned>(std::countr_zero(place));
      const unsigned order = std::min({fitting, aligned, kOrders - 1});
      const Address at = edge_;
      edge_ += blocks_.bytes_of(order);
      free_block(at, order);
    }
  }
  void skip_to(Address edge) { edge_ = edge; }

  template <class Visit>
  void visit_blocks(const Lists& lists, Visit& visit) const {
    for (unsigned order = 0; order < kOrders; ++order) {
      for (Address at = lists.list(order).first(); at != kNone; at = List::next(arena_, at)) {
        visit(FreeChunk{at, lists.bytes_of(order)});
      }
    }
  }

  // The lists of a family: `buddy_of(at, order)`, kNone: it has none.
  template <class BuddyOf>
  const char* check_family(ListCheck<ArenaType>& check, const Lists& lists,
                           BuddyOf&& buddy_of) const {
    for (unsigned order = 0; order < kOrders; ++order) {
      const char* const fault =
          check.list(lists.list(order).first(), [&](FreeChunk one, FreeChunk) -> const char* {
            if (one.bytes != lists.bytes_of(order)) return "a free block is in another's list";
            if (!tags_.begins(one.at)) return "a free block has no mark";
            const Address buddy = buddy_of(one.at, order);
            const bool is_free = buddy != kNone && lists.is_free(arena_, tags_, buddy, order);
            return is_free ? "two free buddies are not joined" : nullptr;
          });
      if (fault != nullptr) return fault;
      if (lists.list(order).is_empty() == lists.has(order)) return "a list's bit is wrong";
    }
    return nullptr;
  }
  const char* check_blocks(ListCheck<ArenaType>& check) const {
    return check_family(check, blocks_, [&](Address at, unsigned order) {
      const size_t bytes = blocks_.bytes_of(order);
      const Address buddy = first_ + ((at - first_) ^ bytes);
      return buddy + bytes > edge_ ? kNone : buddy;
    });
  }

 private:
  MMT_COLD bool grow(unsigned order) {
    const size_t bytes = blocks_.bytes_of(order);
    if (!grow_to(bytes, bytes)) return false;
    divide_up_to(Base::top());
    return true;
  }

  Lists blocks_;
  Address first_;
  Address edge_;
};

}  // namespace mmt::layers::fit
