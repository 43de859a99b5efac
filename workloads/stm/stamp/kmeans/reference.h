// What is to be found, by a program of its own that has no threads and no transactions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "stm/stamp/kmeans/input.h"
#include "stm/stamp/result.h"

namespace mmt::workloads::stm::kmeans {

class Reference {
 public:
  Reference(const Parameters& asked, const double* const* points)
      : asked_(asked), points_(points), members_(asked.points, asked.centres) {
    Random random(7);
    for (size_t c = 0; c < asked.centres; ++c) {
      const double* const start = points[random.below(asked.points)];
      centres_.insert(centres_.end(), start, start + asked.dimensions);
    }
    double part = 0;
    do {
      part = static_cast<double>(assign()) / static_cast<double>(asked.points);
      move();
    } while (part > asked.threshold && ++loops_ < kMostLoops);
  }

  bool is(const Found& found) const {
    return loops_ == found.loops && std::equal(members_.begin(), members_.end(), found.members) &&
           std::equal(centres_.begin(), centres_.end(), found.centres);
  }

 private:
  // How many points change.
  size_t assign() {
    size_t changed = 0;
    std::vector<double> squares(asked_.centres);
    for (size_t i = 0; i < asked_.points; ++i) {
      std::fill(squares.begin(), squares.end(), 0);
      for (size_t c = 0; c < asked_.centres; ++c) {
        for (size_t d = 0; d < asked_.dimensions; ++d) {
          const double off = points_[i][d] - centres_[c * asked_.dimensions + d];
          squares[c] += off * off;
        }
      }
      const auto least = std::min_element(squares.begin(), squares.end());
      const size_t nearest = static_cast<size_t>(least - squares.begin());
      changed += members_[i] != nearest ? 1 : 0;
      members_[i] = nearest;
    }
    return changed;
  }

  // One without points stays.
  void move() {
    std::vector<double> sums(centres_.size());
    std::vector<size_t> counts(asked_.centres);
    for (size_t i = 0; i < asked_.points; ++i) {
      ++counts[members_[i]];
      for (size_t d = 0; d < asked_.dimensions; ++d) {
        sums[members_[i] * asked_.dimensions + d] += points_[i][d];
      }
    }
    for (size_t at = 0; at < sums.size(); ++at) {
      const size_t count = counts[at / asked_.dimensions];
      if (count != 0) centres_[at] = sums[at] / static_cast<double>(count);
    }
  }

  const Parameters asked_;
  const double* const* points_;
  std::vector<size_t> members_;
  std::vector<double> centres_;  // one after the other
  size_t loops_ = 0;
};

}  // namespace mmt::workloads::stm::kmeans
