// The Delaunay triangulation of random points: the corners of the domain, and others within it.
// Points are inserted one after the other, along a Hilbert curve, each into the hole that the
// triangles leave whose circles it lies in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "stm/stamp/result.h"
#include "stm/stamp/yada/plane.h"

namespace mmt::workloads::stm::yada {

// Where the point is along the curve through all cells of a grid of 2^14 by 2^14.
inline uint64_t place_on_curve(Point point) {
  constexpr int64_t kCells = 1 << 14;
  int64_t x = point.x / (kSide / kCells);
  int64_t y = point.y / (kSide / kCells);
  uint64_t place = 0;
  for (int64_t half = kCells / 2; half > 0; half /= 2) {
    const bool right = (x & half) != 0;
    const bool up = (y & half) != 0;
    place = 4 * place + (right ? (up ? 2U : 3U) : (up ? 1U : 0U));
    // The first and the last quarter are turned.
    if (up) continue;
    if (right) {
      x = kCells - 1 - x;
      y = kCells - 1 - y;
    }
    std::swap(x, y);
  }
  return place;
}

class Triangulation {
 public:
  struct Triangle {
    uint32_t corner[3];  // turn left
    uint32_t beside[3];  // across from that corner; kNone: outside
  };
  static constexpr uint32_t kNone = ~uint32_t{0};

  // The triangulation has `count` points, 4 at least.
  Triangulation(size_t count, uint32_t seed)
      : points_{{0, 0}, {kSide, 0}, {kSide, kSide}, {0, kSide}},
        triangles_{{{0, 1, 2}, {kNone, 1, kNone}}, {{0, 2, 3}, {kNone, kNone, 0}}},
        mark_(2, 0) {
    draw(count, seed);
    starts_at_.resize(points_.size());
    for (uint32_t point = 4; point < points_.size(); ++point) insert(point);
  }

  const std::vector<Point>& points() const { return points_; }
  const std::vector<Triangle>& triangles() const { return triangles_; }

 private:
  struct Side {
    uint32_t from, to;
    uint32_t outside;
  };

  void draw(size_t count, uint32_t seed) {
    struct Drawn {
      uint64_t place;
      Point point;
    };
    Random random(seed);
    const auto within = [&] { return static_cast<int64_t>(random.below(kSide - 1)) + 1; };
    std::vector<Drawn> drawn;
    while (drawn.size() + 4 < count) {
      while (drawn.size() + 4 < count) {
        const int64_t x = within();
        const Point point{x, within()};
        drawn.push_back({place_on_curve(point), point});
      }
      std::sort(drawn.begin(), drawn.end(), [](const Drawn& a, const Drawn& b) {
        return a.place != b.place ? a.place < b.place : a.point < b.point;
      });
      const auto same = [](const Drawn& a, const Drawn& b) { return a.point == b.point; };
      drawn.erase(std::unique(drawn.begin(), drawn.end(), same), drawn.end());
    }
    for (const Drawn& one : drawn) points_.push_back(one.point);
  }

  Point corner(uint32_t triangle, size_t i) const {
    return points_[triangles_[triangle].corner[i % 3]];
  }
  bool circle_holds(uint32_t triangle, Point point) const {
    return within_circle(corner(triangle, 0), corner(triangle, 1), corner(triangle, 2), point);
  }

  // The triangle that the point lies in.
  uint32_t walk_to(Point point) const {
    uint32_t here = last_;
    for (size_t i = 0; i < 3;) {
      if (cross(corner(here, i + 1), corner(here, i + 2), point) >= 0) {
        ++i;
      } else {
        here = triangles_[here].beside[i];
        i = 0;
      }
    }
    return here;
  }

  // Empties hole_ and sides_, and fills them.
  void dig(uint32_t first, Point point) {
    hole_.assign(1, first);
    sides_.clear();
    ++round_;
    mark_[first] = round_;
    for (size_t next = 0; next < hole_.size(); ++next) {
      const Triangle& here = triangles_[hole_[next]];
      for (size_t i = 0; i < 3; ++i) {
        const uint32_t beside = here.beside[i];
        if (beside != kNone && mark_[beside] == round_) continue;
        if (beside != kNone && circle_holds(beside, point)) {
          mark_[beside] = round_;
          hole_.push_back(beside);
        } else {
          sides_.push_back({here.corner[(i + 1) % 3], here.corner[(i + 2) % 3], beside});
        }
      }
    }
  }

  void insert(uint32_t point) {
    dig(walk_to(points_[point]), points_[point]);
    for (int more = 0; more < 2; ++more) {
      hole_.push_back(static_cast<uint32_t>(triangles_.size()));
      triangles_.emplace_back();
      mark_.push_back(0);
    }
    for (size_t i = 0; i < sides_.size(); ++i) {
      const Side& side = sides_[i];
      triangles_[hole_[i]] = {{side.from, side.to, point}, {kNone, kNone, side.outside}};
      starts_at_[side.from] = hole_[i];
      if (side.outside == kNone) continue;
      Triangle& outside = triangles_[side.outside];
      for (size_t at = 0; at < 3; ++at) {
        if (outside.corner[(at + 1) % 3] == side.to) outside.beside[at] = hole_[i];
      }
    }
    for (size_t i = 0; i < sides_.size(); ++i) {
      const uint32_t after = starts_at_[sides_[i].to];
      triangles_[hole_[i]].beside[0] = after;
      triangles_[after].beside[1] = hole_[i];
    }
    last_ = hole_[0];
  }

  std::vector<Point> points_;
  std::vector<Triangle> triangles_;
  std::vector<uint32_t> mark_;       // of a triangle: the last round whose hole it was in
  std::vector<uint32_t> starts_at_;  // of a corner: the new triangle whose first it is
  std::vector<uint32_t> hole_;
  std::vector<Side> sides_;
  uint32_t round_ = 0;
  uint32_t last_ = 0;
};

}  // namespace mmt::workloads::stm::yada
