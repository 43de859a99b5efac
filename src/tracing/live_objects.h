// Which object lies at an address: a table by open addressing, as one is asked at every event.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tracefile/event.h"

namespace mmt::tracing {

inline constexpr tracefile::Object kMostObjects = (tracefile::Object{1} << 56) - 1;

struct LiveObject {
  std::uint64_t address = 0;  // 0: none
  std::uint64_t bytes = 0;
  tracefile::Object object : 56 = 0;
  std::uint64_t alignment : 8 = 0;  // log2, 0: malloc's
};

class LiveObjects {
 public:
  LiveObjects() : cells_(kFirstCells) {}

  std::size_t size() const { return size_; }
  std::size_t held_bytes() const { return cells_.size() * sizeof(LiveObject); }

  void prefetch(std::uint64_t address) const { __builtin_prefetch(&cells_[home_of(address)], 1); }

  // nullptr: none. Stays until the table is changed.
  LiveObject* find(std::uint64_t address) {
    for (std::size_t at = home_of(address);; at = next(at)) {
      if (cells_[at].address == address) return &cells_[at];
      if (cells_[at].address == 0) return nullptr;
    }
  }

  // There must be none at its address, which is not 0.
  void insert(const LiveObject& one) {
    if (2 * ++size_ > cells_.size()) grow();
    put(one);
  }

  // Where there is one at its address, that one, and nothing has changed; else nullptr.
  LiveObject* find_or_insert(const LiveObject& one) {
    for (std::size_t at = home_of(one.address);; at = next(at)) {
      if (cells_[at].address == one.address) return &cells_[at];
      if (cells_[at].address != 0) continue;
      if (2 * ++size_ > cells_.size()) {
        grow();
        put(one);
      } else {
        cells_[at] = one;
      }
      return nullptr;
    }
  }

  // Erases what find() gave. What lies behind it moves up, so that searches may end at the first
  // empty cell.
  void erase(LiveObject* one) {
    --size_;
    auto hole = static_cast<std::size_t>(one - cells_.data());
    for (std::size_t at = next(hole); cells_[at].address != 0; at = next(at)) {
      const std::size_t home = home_of(cells_[at].address);
      // It may move unless its home lies behind the hole.
      const bool may_move = ((at - home) & mask()) >= ((at - hole) & mask());
      if (!may_move) continue;
      cells_[hole] = cells_[at];
      hole = at;
    }
    cells_[hole] = {};
  }

  // How many cells a search for it looks at before its own; of find().
  std::size_t steps_to(const LiveObject* one) const {
    return (static_cast<std::size_t>(one - cells_.data()) - home_of(one->address)) & mask();
  }

  // They come in no order.
  std::vector<LiveObject> all() const {
    std::vector<LiveObject> found;
    found.reserve(size_);
    for (const LiveObject& one : cells_) {
      if (one.address != 0) found.push_back(one);
    }
    return found;
  }

 private:
  static constexpr std::size_t kFirstCells = 256;
  static constexpr unsigned kGranuleBits = 4;  // a cell is home to a granule of memory
  static constexpr unsigned kGroupBits = 3;    // granules whose cells are neighbours

  std::size_t mask() const { return cells_.size() - 1; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  // Neighbours in memory are neighbours here: programs often take and free them together. Groups of
  // them are scattered: where dense stretches of memory met, searches would cross all of both.
  std::size_t home_of(std::uint64_t address) const {
    const std::uint64_t granule = address >> kGranuleBits;
    std::uint64_t scattered = (granule >> kGroupBits) * 0x9E3779B97F4A7C15;
    // Stretches are powers of two apart, of which one product makes a pattern.
    scattered = (scattered ^ (scattered >> 32)) * 0xD6E8FEB86659FD93;
    constexpr std::uint64_t kInGroup = (1U << kGroupBits) - 1;
    return static_cast<std::size_t>(scattered >> shift_ << kGroupBits | (granule & kInGroup));
  }

  void put(const LiveObject& one) {
    std::size_t at = home_of(one.address);
    while (cells_[at].address != 0) at = next(at);
    cells_[at] = one;
  }

  void grow() {
    std::vector<LiveObject> before(2 * cells_.size());
    before.swap(cells_);
    --shift_;
    for (const LiveObject& one : before) {
      if (one.address != 0) put(one);
    }
  }

  std::vector<LiveObject> cells_;
  std::size_t size_ = 0;
  // Leaves as many bits as there are groups.
  unsigned shift_ = 64 - static_cast<unsigned>(std::countr_zero(kFirstCells)) + kGroupBits;
};

}  // namespace mmt::tracing
