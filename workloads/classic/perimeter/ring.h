// The image whose perimeter is computed: the pixels whose centres lie in a ring around the middle
// of a square. In half pixels from the middle, so that all is exact.
#pragma once

#include <cstdint>

namespace mmt::workloads::classic::perimeter {

class Ring {
 public:
  // The image is `width` pixels wide, an even number.
  explicit Ring(int64_t width) : width_(width) {
    const int64_t outer = width * 7 / 8;  // its radius, in half pixels
    const int64_t inner = width * 3 / 8;
    outer_ = outer * outer;
    inner_ = inner * inner;
  }

  int64_t width() const { return width_; }
  bool has(int64_t x, int64_t y) const { return is_within(square(x) + square(y)); }

  // This says of the square of pixels that all are in the ring, or none is, or else that it is
  // mixed.
  enum class Cover { kNone, kAll, kMixed };
  Cover cover(int64_t x, int64_t y, int64_t size) const {
    const int64_t nearest = least(x, size) + least(y, size);
    const int64_t farthest = most(x, size) + most(y, size);
    if (farthest < inner_ || nearest > outer_) return Cover::kNone;
    return nearest >= inner_ && farthest <= outer_ ? Cover::kAll : Cover::kMixed;
  }

 private:
  bool is_within(int64_t distance) const { return distance >= inner_ && distance <= outer_; }
  // The square of a coordinate's distance from the middle.
  int64_t square(int64_t at) const {
    const int64_t distance = 2 * at + 1 - width_;
    return distance * distance;
  }
  int64_t least(int64_t from, int64_t size) const {
    const int64_t middle = width_ / 2;
    if (from < middle && from + size > middle) return square(middle);
    const int64_t a = square(from);
    const int64_t b = square(from + size - 1);
    return a < b ? a : b;
  }
  int64_t most(int64_t from, int64_t size) const {
    const int64_t a = square(from);
    const int64_t b = square(from + size - 1);
    return a > b ? a : b;
  }

  int64_t width_;
  int64_t outer_;
  int64_t inner_;
};

}  // namespace mmt::workloads::classic::perimeter
