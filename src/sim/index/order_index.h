// Values in an order to which new ones are added at the front. It finds the first that is at least
// as large, and how many stand before it. Each value has a place; places are numbered anew when
// they run out. A tree of blocks of 16. One thread may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mmt::sim {

class OrderIndex {
 public:
  using Place = uint32_t;  // higher ones are nearer to the front
  static constexpr Place kNowhere = UINT32_MAX;

  OrderIndex() { resize(kBlock * kBlock); }

  bool is_full() const { return next_ == capacity(); }
  // To be called when it is full, before another is added. Calls move(from, to) for each value that
  // gets another place, in the order of places, from the lowest.
  template <class Move>
  void renumber(Move move) {
    std::vector<uint64_t> kept;
    kept.reserve(size());
    for (Place from = 0; from < next_; ++from) {
      const uint64_t value = levels_[0].most[from];
      if (value == 0) continue;
      move(from, static_cast<Place>(kept.size()));
      kept.push_back(value);
    }
    size_t wanted = capacity();
    if (kept.size() * 2 > wanted) wanted *= kBlock;
    resize(wanted);
    for (const uint64_t value : kept) add(value);
  }

  // At the front; `value` is not 0.
  Place add(uint64_t value) {
    const Place place = next_++;
    count(place, 1);
    set(place, value);
    return place;
  }
  void remove(Place place) {
    count(place, -1);
    set(place, 0);
  }
  void change(Place place, uint64_t value) { set(place, value); }
  uint64_t value(Place place) const { return levels_[0].most[place]; }
  size_t size() const { return levels_.back().count[0]; }
  uint64_t most() const { return levels_.back().most[0]; }
  // visit(place, value) of each, from the front.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Place place = next_; place-- > 0;) {
      if (levels_[0].most[place] != 0) visit(place, levels_[0].most[place]);
    }
  }

  // The first from the front that is at least so large; kNowhere: there is none.
  Place find(uint64_t least) const;
  // How many stand from the front up to this one, which counts.
  size_t rank(Place place) const;

 private:
  static constexpr size_t kBlock = 16;

  // Level 0 has the values; each other one a block of the level below in an entry.
  struct Level {
    std::vector<uint64_t> most;
    std::vector<uint32_t> count;
  };

  size_t capacity() const { return levels_[0].most.size(); }
  void resize(size_t capacity);
  void count(Place place, int change) {
    for (Level& level : levels_) {
      level.count[place] += static_cast<uint32_t>(change);
      place = static_cast<Place>(place / kBlock);
    }
  }
  void set(Place place, uint64_t value);

  std::vector<Level> levels_;
  Place next_ = 0;
};

}  // namespace mmt::sim
