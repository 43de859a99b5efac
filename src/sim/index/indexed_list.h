// A list of free chunks, the last freed first. It knows without a walk what a walk would find, and
// how many nodes it would look at, by first fit or best fit. Its chunks are linked as ChunkList's,
// so that all else is the same. indexed_list_test.cpp holds it to the walk. It is not thread-safe.
#pragma once

#include <cstddef>

#include <mmt/core/check.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/fit/chunk_list.h>
#include <mmt/layers/fit/policy.h>

#include "core/flat_map.h"
#include "sim/index/order_index.h"
#include "sim/index/size_index.h"

namespace mmt::sim {

// `kBest`: best fit, else first fit.
template <class ArenaType, bool kBest>
class IndexedList : public layers::fit::ChunkList<ArenaType> {
  using Base = layers::fit::ChunkList<ArenaType>;
  using Address = layers::fit::Address;
  using Place = OrderIndex::Place;

 public:
  struct Found {
    Address at = layers::fit::kNone;
    size_t visits = 0;
  };

  // Where touches are counted, a walk's are: it is followed to where it would end.
  Found find(const ArenaType& arena, size_t needed) {
    Place place = OrderIndex::kNowhere;
    if constexpr (kBest) {
      place = by_size_.find(needed, order_);
    } else {
      place = order_.find(needed);
    }
    const bool is_found = place != OrderIndex::kNowhere;
    // Only a chunk of that very size ends a walk for the best before the list does.
    const bool ends_walk = is_found && (!kBest || order_.value(place) == needed);
    const Found found{is_found ? addresses_[place] : layers::fit::kNone,
                      ends_walk ? order_.rank(place) : order_.size()};
    if (MMT_UNLIKELY(arena.probe().counts_touches())) {
      follow(arena, ends_walk ? found.at : layers::fit::kNone);
    }
    return found;
  }

  // The largest of its chunks; 0: there is none.
  size_t largest() const { return order_.most(); }
  // visit(chunk) of each, the front first, without a walk from one to the next.
  template <class Visit>
  void for_each(Visit visit) const {
    order_.for_each([&](Place place, uint64_t bytes) {
      visit(layers::fit::FreeChunk{addresses_[place], bytes});
    });
  }

  void push_front(ArenaType& arena, Address at) {
    // Its size was set just before, so that reading it touches nothing else.
    const size_t bytes = Base::bytes(arena, at);
    Base::push_front(arena, at);
    if (order_.is_full()) renumber();
    const Place place = order_.add(bytes);
    if (place >= addresses_.size()) addresses_.resize(size_t{place} * 2 + 16);
    addresses_[place] = at;
    places_.add(at, place);
    if constexpr (kBest) by_size_.add(bytes, place);
  }
  void remove(ArenaType& arena, Address at) {
    Base::remove(arena, at);
    core::FlatMap<Place>::Entry* const entry = places_.find(at);
    const uint64_t bytes = order_.value(entry->value);
    order_.remove(entry->value);
    places_.remove(entry);
    if constexpr (kBest) by_size_.remove(bytes);
  }
  void replace(ArenaType& arena, Address at, Address by) {
    Base::replace(arena, at, by);
    core::FlatMap<Place>::Entry* const entry = places_.find(at);
    const Place place = entry->value;
    places_.remove(entry);
    places_.add(by, place);
    addresses_[place] = by;
  }
  // Also of a chunk that is not in the list yet.
  void set_bytes(ArenaType& arena, Address at, size_t value) {
    Base::set_bytes(arena, at, value);
    const core::FlatMap<Place>::Entry* const entry = places_.find(at);
    if (entry == nullptr) return;
    if constexpr (kBest) by_size_.remove(order_.value(entry->value));
    order_.change(entry->value, value);
    if constexpr (kBest) by_size_.add(value, entry->value);
  }
  void insert_behind(ArenaType&, Address, Address) {
    MMT_CHECK(false, "IndexedList: it is for lists in which the last freed is first", 0);
  }

 private:
  // Reads as SequentialFit's walks do, up to that chunk; kNone: to the end.
  void follow(const ArenaType& arena, Address last) const {
    for (Address at = Base::first(); at != layers::fit::kNone; at = Base::next(arena, at)) {
      Base::bytes(arena, at);
      if (at == last) return;
    }
  }
  void renumber() {
    by_size_.clear();
    order_.renumber([&](Place from, Place to) {
      addresses_[to] = addresses_[from];
      places_.find(addresses_[to])->value = to;
      if constexpr (kBest) by_size_.add(order_.value(from), to);
    });
  }

  OrderIndex order_;
  SizeIndex by_size_;
  core::FlatMap<Place> places_;     // by address
  std::vector<Address> addresses_;  // by place
};

}  // namespace mmt::sim
