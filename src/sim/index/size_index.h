// Places by the sizes of what lies there: the smallest size that suffices, and of that the highest
// place. One thread may use it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/index/order_index.h"

namespace mmt::sim {

class SizeIndex {
 public:
  using Place = OrderIndex::Place;

  void add(uint64_t size, Place place) {
    Class& one = classes_[size];
    ++one.count;
    one.places.push_back(place);
    std::push_heap(one.places.begin(), one.places.end());
  }
  // Its place is forgotten when it comes up.
  void remove(uint64_t size) {
    const auto found = classes_.find(size);
    if (--found->second.count == 0) classes_.erase(found);
  }

  // kNowhere: none suffices. `order` knows which places still have that size.
  Place find(uint64_t least, const OrderIndex& order) {
    const auto found = classes_.lower_bound(least);
    if (found == classes_.end()) return OrderIndex::kNowhere;
    std::vector<Place>& places = found->second.places;
    while (order.value(places.front()) != found->first) {
      std::pop_heap(places.begin(), places.end());
      places.pop_back();
    }
    return places.front();
  }

  // When places are numbered anew.
  void clear() { classes_.clear(); }

 private:
  struct Class {
    size_t count = 0;
    std::vector<Place> places;  // a heap; some have another size by now, some stand twice
  };
  std::map<uint64_t, Class> classes_;
};

}  // namespace mmt::sim
