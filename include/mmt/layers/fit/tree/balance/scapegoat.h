#pragma once
// Galperin's and Rivest's scapegoat tree (1993) needs no field. If a leaf is too deep, some
// ancestor has a child with more than 2/3 of its nodes. The subtree of that ancestor is built anew.
// A search takes log(n)/log(3/2) + 1 steps at most, an update O(log n) in the long run.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <mmt/layers/fit/tree/balance/none.h>
#include <mmt/layers/fit/tree/balance/rebuild.h>
#include <mmt/layers/fit/tree/walk.h>

namespace mmt::layers::fit {

namespace detail {

// The least numbers of nodes for which a leaf may lie 0, 1, 2... links deep: (3/2)^depth.
constexpr std::array<uint64_t, 88> scapegoat_counts() {
  std::array<uint64_t, 88> counts{};
  double power = 1;
  for (uint64_t& count : counts) {
    count = static_cast<uint64_t>(power);
    if (static_cast<double>(count) < power) ++count;
    power *= 1.5;
  }
  return counts;
}
inline constexpr auto kScapegoatCounts = scapegoat_counts();

}  // namespace detail

class Scapegoat : public Unbalanced {
 public:
  struct Options {};
  constexpr explicit Scapegoat(Options) {}

  void inserted(size_t depth, size_t count) {
    most_ = std::max(most_, count);
    if (depth > limit(most_)) below_ = 1;
  }
  bool is_seeking() const { return below_ != 0; }
  template <class CursorType>
  void mend(CursorType& cursor) {
    if (!is_seeking()) return;
    const auto nodes = cursor.nodes();
    const Side side = cursor.key() < cursor.at() ? Side::kLeft : Side::kRight;
    const size_t all = 1 + below_ + count_nodes(nodes, nodes.child(cursor.at(), opposite(side)));
    if (3 * below_ > 2 * all) {
      cursor.put(rebuild(nodes, cursor.at()));
      below_ = 0;
    } else {
      below_ = all;
    }
  }
  bool wants_rebuild(size_t count) const { return is_seeking() || 3 * count < 2 * most_; }
  void rebuilt(size_t count) {
    most_ = count;
    below_ = 0;
  }
  size_t most_depth(size_t) const { return limit(most_); }

 private:
  // The largest depth whose count is no more than that.
  static size_t limit(size_t count) {
    const auto& counts = detail::kScapegoatCounts;
    const auto* const above = std::upper_bound(counts.begin(), counts.end(), count);
    return above == counts.begin() ? 0 : static_cast<size_t>(above - counts.begin()) - 1;
  }

  size_t most_ = 0;   // nodes since all was built anew
  size_t below_ = 0;  // nodes of the subtree that the climb came from; 0: no leaf is too deep
};

}  // namespace mmt::layers::fit
