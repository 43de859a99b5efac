// Points of a fine grid, and predicates that are exact: distances between coordinates stay below
// 2^30, so that every determinant fits into 128 bits.
#pragma once

#include <cmath>
#include <cstdint>

namespace mmt::workloads::stm::yada {

// The domain is the square from (0, 0) to (kSide, kSide).
inline constexpr int64_t kSide = int64_t{1} << 28;

struct Point {
  int64_t x;
  int64_t y;

  bool operator==(const Point&) const = default;
  auto operator<=>(const Point&) const = default;
};

__extension__ using Wide = __int128;

// Twice the area of a b c; above 0 when they turn left.
inline int64_t cross(Point a, Point b, Point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

inline int64_t squared_distance(Point a, Point b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

// Above 0 when a p b is an obtuse angle: p lies within the circle whose diameter is a b.
inline bool within_diameter(Point a, Point b, Point p) {
  return (a.x - p.x) * (b.x - p.x) + (a.y - p.y) * (b.y - p.y) < 0;
}

// Whether p lies within the circle through a, b and c, which turn left; on it is not within.
inline bool within_circle(Point a, Point b, Point c, Point p) {
  const Wide at = squared_distance(a, p);
  const Wide bt = squared_distance(b, p);
  const Wide ct = squared_distance(c, p);
  return at * cross(p, b, c) + bt * cross(p, c, a) + ct * cross(p, a, b) > 0;
}

// The centre of the circle through a, b and c, which turn left. One that lies very far off comes
// nearer to a, which keeps it within the circle and outside the domain.
inline Point centre_of(Point a, Point b, Point c) {
  const Wide bt = squared_distance(a, b);
  const Wide ct = squared_distance(a, c);
  const double scale = 2 * static_cast<double>(cross(a, b, c));
  double x = static_cast<double>(bt * (c.y - a.y) - ct * (b.y - a.y)) / scale;
  double y = static_cast<double>(ct * (b.x - a.x) - bt * (c.x - a.x)) / scale;
  const double most = 2 * static_cast<double>(kSide);
  const double farther = std::fmax(std::fabs(x), std::fabs(y));
  if (farther > most) {
    x *= most / farther;
    y *= most / farther;
  }
  return {a.x + std::llround(x), a.y + std::llround(y)};
}

// Whether an angle of the triangle is below the one with this cosine, which is above 0.
inline bool has_angle_below(Point a, Point b, Point c, double cosine) {
  const double ab = static_cast<double>(squared_distance(a, b));
  const double bc = static_cast<double>(squared_distance(b, c));
  const double ca = static_cast<double>(squared_distance(c, a));
  const auto sharp = [&](double left, double right, double across) {
    const double twice_dot = left + right - across;
    return twice_dot > 0 && twice_dot * twice_dot > 4 * cosine * cosine * left * right;
  };
  return sharp(ab, ca, bc) || sharp(ab, bc, ca) || sharp(bc, ca, ab);
}

}  // namespace mmt::workloads::stm::yada
