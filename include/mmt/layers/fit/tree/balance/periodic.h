#pragma once
// This scheme follows the paper's advice: the tree is built anew every so many updates. The tree is
// also built anew when a chunk is put deeper than a multiple of the logarithm of its nodes.
// Searches stay short. But a rebuild visits every node, so that chunks freed in order of address
// pay for one every few frees (with scapegoat.h they do not).
#include <algorithm>
#include <bit>
#include <cstddef>

#include <mmt/layers/fit/tree/balance/none.h>

namespace mmt::layers::fit {

class Periodic : public Unbalanced {
 public:
  struct Options {
    size_t updates = 0;  // 0: as many as the tree has nodes
    size_t factor = 4;   // of the binary logarithm; 0: never for the depth
  };
  constexpr explicit Periodic(Options options) : options_(options) {}

  void inserted(size_t depth, size_t count) {
    ++updates_;
    most_ = std::max(most_, count);
    if (options_.factor != 0 && depth > limit()) is_deep_ = true;
  }
  void removed(size_t) { ++updates_; }
  bool wants_rebuild(size_t count) const {
    const size_t most_updates = options_.updates != 0 ? options_.updates : std::max(count, kFew);
    return is_deep_ || updates_ >= most_updates || (options_.factor != 0 && count < most_ / 2);
  }
  void rebuilt(size_t count) {
    updates_ = 0;
    most_ = built_ = count;
    is_deep_ = false;
  }
  size_t most_depth(size_t) const {
    return std::min(options_.factor == 0 ? kAnyDepth : limit(), bits(built_) + updates_);
  }

 private:
  static constexpr size_t kFew = 64;

  static size_t bits(size_t n) { return static_cast<size_t>(std::bit_width(n)); }
  size_t limit() const { return options_.factor * bits(most_); }

  Options options_;
  size_t updates_ = 0;
  size_t most_ = 0;   // nodes since the last rebuild
  size_t built_ = 0;  // nodes in it
  bool is_deep_ = false;
};

}  // namespace mmt::layers::fit
