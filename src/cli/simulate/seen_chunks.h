// The free chunks of a model at one moment, by address. A long list has millions of them, so they
// lie in one sorted stretch, and what is known of each in flags beside it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/models/model.h"

namespace mmt::cli {

class SeenChunks {
 public:
  using Place = size_t;
  static constexpr Place kNowhere = SIZE_MAX;

  explicit SeenChunks(std::vector<sim::SeenNode> nodes) : nodes_(std::move(nodes)) {
    std::sort(
        nodes_.begin(), nodes_.end(),
        [](const sim::SeenNode& one, const sim::SeenNode& other) { return one.at < other.at; });
  }

  size_t size() const { return nodes_.size(); }
  const sim::SeenNode& operator[](Place place) const { return nodes_[place]; }

  // The chunk that begins there; kNowhere: none does.
  Place find(sim::Address at) const {
    const Place place = containing(at);
    return place != kNowhere && nodes_[place].at == at ? place : kNowhere;
  }
  // The chunk that an address lies in.
  Place containing(sim::Address at) const {
    const auto next = std::upper_bound(
        nodes_.begin(), nodes_.end(), at,
        [](sim::Address wanted, const sim::SeenNode& one) { return wanted < one.at; });
    if (next == nodes_.begin()) return kNowhere;
    const auto place = static_cast<Place>(next - nodes_.begin()) - 1;
    return holds(place, at) ? place : kNowhere;
  }
  bool holds(Place place, sim::Address at) const {
    return at >= nodes_[place].at && at < nodes_[place].at + nodes_[place].bytes;
  }

 private:
  std::vector<sim::SeenNode> nodes_;
};

}  // namespace mmt::cli
