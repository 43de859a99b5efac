#include "sim/index/order_index.h"

#include <algorithm>

namespace mmt::sim {

void OrderIndex::resize(size_t capacity) {
  levels_.clear();
  for (size_t entries = capacity;; entries /= kBlock) {
    // The top has one entry, or a part of a block.
    levels_.push_back({std::vector<uint64_t>(entries), std::vector<uint32_t>(entries)});
    if (entries == 1) break;
  }
  next_ = 0;
}

void OrderIndex::set(Place place, uint64_t value) {
  levels_[0].most[place] = value;
  for (size_t level = 1; level < levels_.size(); ++level) {
    const uint64_t* const block = &levels_[level - 1].most[place / kBlock * kBlock];
    const uint64_t most = *std::max_element(block, block + kBlock);
    place = static_cast<Place>(place / kBlock);
    uint64_t& known = levels_[level].most[place];
    if (known == most) return;
    known = most;
  }
}

OrderIndex::Place OrderIndex::find(uint64_t least) const {
  if (levels_.back().most[0] < least) return kNowhere;
  Place place = 0;
  for (size_t level = levels_.size() - 1; level-- > 0;) {
    const uint64_t* const block = &levels_[level].most[size_t{place} * kBlock];
    size_t at = kBlock - 1;
    while (block[at] < least) --at;
    place = static_cast<Place>(size_t{place} * kBlock + at);
  }
  return place;
}

size_t OrderIndex::rank(Place place) const {
  size_t before = 1;
  for (size_t level = 0; level + 1 < levels_.size(); ++level) {
    const size_t end = (place / kBlock + 1) * kBlock;
    for (size_t at = place + 1; at < end; ++at) before += levels_[level].count[at];
    place = static_cast<Place>(place / kBlock);
  }
  return before;
}

}  // namespace mmt::sim
