// The free stretches of an address space without end, by address: gives out the lowest that is
// large enough, takes stretches back and joins them. A treap (Aragon, Seidel, 1989) with the
// largest gap of each subtree. Its nodes lie outside of the space, so nothing is rounded. Addresses
// are bytes below 2^62. One thread may use it.
#pragma once

#include <cstdint>
#include <vector>

namespace mmt::sim {

class GapTree {
 public:
  // All is free from `start` on.
  explicit GapTree(uint64_t start);

  // Where `bytes` (not 0) lie from now on: the lowest place.
  uint64_t take(uint64_t bytes);
  // The whole stretch is taken, and `bytes` is not 0.
  void give(uint64_t at, uint64_t bytes);

  // Behind the last byte that was ever taken.
  uint64_t highest() const { return highest_; }

 private:
  using Index = uint32_t;  // 0: none

  struct Gap {
    uint64_t at;
    uint64_t bytes;
    uint64_t most;  // of the subtree
    uint32_t rank;  // parents have higher ones
    Index left;
    Index right;
  };

  Index make(uint64_t at, uint64_t bytes);
  void update(Index index);
  // Gaps below `at`, and the others.
  void split(Index tree, uint64_t at, Index* below, Index* rest);
  Index join(Index below, Index above);
  uint64_t end_of(Index index) const { return gaps_[index].at + gaps_[index].bytes; }
  Index last_of(Index tree) const;
  Index first_of(Index tree) const;
  void drop(Index index) { unused_.push_back(index); }

  std::vector<Gap> gaps_;
  std::vector<Index> unused_;
  Index root_ = 0;
  uint64_t random_ = 88172645463325252;
  uint64_t highest_;
};

}  // namespace mmt::sim
