#pragma once
// Double buddies (Wise, 1979): blocks of 2^k, and apart from them blocks of 3 * 2^k, so that less
// is lost by rounding. A block's buddy is of its own family, and so is what they become. A fit
// policy (fit/policy.h).
//
// Blocks of three lie in regions of at least three pages, of which a table knows where they begin.
#include <algorithm>
#include <bit>
#include <cstddef>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/buddy.h>
#include <mmt/layers/fit/side_table.h>

namespace mmt::layers::fit {

template <class ArenaType>
class DoubleBuddy : public Buddy<ArenaType> {
  using Base = Buddy<ArenaType>;
  using Base::arena_, Base::tags_, Base::header_, Base::kOrders;
  using typename Base::List;
  using typename Base::Lists;

 public:
  using Base::kLeastChunk;
  using typename Base::Word;

  constexpr explicit DoubleBuddy(Shape shape)
      : Base(shape),
        threes_(3 * std::max(std::bit_ceil((kLeastChunk + 2) / 3), shape.granule)),
        page_(std::max(size_t{4096}, shape.granule)),
        first_(shape.first_chunk(sizeof(Word))) {}

  Address allocate(size_t asked) {
    const size_t needed = Base::bytes_for(asked);
    if (MMT_UNLIKELY(needed == 0)) return kNone;
    const Size size = size_for(needed);
    if (MMT_UNLIKELY(size.order == kOrders)) return kNone;
    if (!size.is_three) {
      return Base::hand_out(Base::allocate_block(size.order), size.order, Base::blocks());
    }
    unsigned found = threes_.first_from(size.order);
    if (MMT_UNLIKELY(found == kOrders)) {
      if (!begin_region(size.order)) return kNone;
      found = threes_.first_from(size.order);
    }
    return Base::hand_out(Base::halve(threes_, found, size.order), size.order, threes_);
  }

  void free(Address owners, size_t asked) {
    const Address block = Base::chunk_of(owners);
    const Size size = size_for(chunk_bytes(owners, asked));
    arena_.probe().visited();
    if (size.is_three) {
      free_three(block, size.order);
    } else {
      Base::free_block(block, size.order);
    }
  }

  size_t chunk_bytes(Address at, size_t asked) const {
    if (header_ != 0) return arena_.load(at - header_);
    const Size size = size_for(Base::bytes_for(asked));
    return (size.is_three ? threes_ : Base::blocks()).bytes_of(size.order);
  }
  size_t usable(Address at, size_t asked) const { return chunk_bytes(at, asked) - header_; }

  size_t largest_free() const { return std::max(Base::largest_free(), threes_.largest()); }

  template <class Visit>
  void for_each_free(Visit&& visit) const {
    Base::for_each_free(visit);
    Base::visit_blocks(threes_, visit);
  }

  const char* broken_invariant() const {
    ListCheck<ArenaType> check(*this, tags_, false);
    if (const char* const fault = Base::check_blocks(check)) return fault;
    const char* const fault = Base::check_family(
        check, threes_, [&](Address at, unsigned order) { return buddy_of(at, order); });
    return fault != nullptr ? fault : check.counts();
  }

 private:
  struct Size {
    bool is_three;
    unsigned order;
  };

  // The smaller of both families' blocks.
  Size size_for(size_t bytes) const {
    const unsigned two = Base::blocks().order_for(bytes);
    const unsigned three = threes_.order_for(bytes);
    if (three == kOrders) return {false, two};
    if (two == kOrders || threes_.bytes_of(three) < Base::blocks().bytes_of(two)) {
      return {true, three};
    }
    return {false, two};
  }

  // Where the region of three begins in which an address lies; kNone: it is in none.
  Address region_of(Address at) const {
    const size_t page = (at - first_) / page_;
    const size_t begin = page < begins_.capacity() ? begins_[page] : 0;
    return begin == 0 ? kNone : first_ + (begin - 1) * page_;
  }
  Address buddy_of(Address at, unsigned order) const {
    const Address region = region_of(at);
    const size_t bytes = threes_.bytes_of(order);
    const Address buddy = region + ((at - region) / bytes ^ 1) * bytes;
    return buddy + bytes > Base::edge() || region_of(buddy) != region ? kNone : buddy;
  }

  void free_three(Address at, unsigned order) {
    const unsigned own = order;
    for (; order + 1 < kOrders; ++order) {
      const Address buddy = buddy_of(at, order);
      if (buddy == kNone || !threes_.is_free(arena_, tags_, buddy, order)) break;
      arena_.probe().visited();
      threes_.remove(arena_, tags_, buddy, order);
      Base::count_taken(threes_.bytes_of(order));
      at = std::min(at, buddy);
    }
    if (order != own) arena_.probe().coalesced(1);
    threes_.insert(arena_, tags_, at, order);
    Base::count_free(threes_.bytes_of(order));
  }

  // A region of three pages, or of the one block that is larger. What lies before it, and behind it
  // in the memory that it got, becomes blocks of two.
  MMT_COLD bool begin_region(unsigned least) {
    const unsigned order = std::max(least, threes_.order_for(3 * page_));
    if (order == kOrders) return false;
    const size_t bytes = threes_.bytes_of(order);
    const Address start = first_ + core::align_up(Base::edge() - first_, page_);
    const size_t pages = (start + bytes - first_) / page_;
    if (!begins_.cover(pages, begun_) || !Base::grow_to(page_, bytes)) return false;
    Base::divide_up_to(start);
    Base::skip_to(start + bytes);
    const size_t begin = (start - first_) / page_;
    for (size_t i = 0; i < bytes / page_; ++i) begins_[begin + i] = begin + 1;
    begun_ = pages;
    free_three(start, order);
    Base::divide_up_to(Base::top());
    return true;
  }

  Lists threes_;
  size_t page_;
  Address first_;
  size_t begun_ = 0;          // pages up to the last region's end
  SideTable<size_t> begins_;  // of each page: where its region of three begins, plus 1; 0: in none
};

}  // namespace mmt::layers::fit
