// This is what the mesh must be once it is refined, where no transaction runs. It covers the domain
// without gaps and overlaps. It is Delaunay, no angle is below the bound, and no triangle
// encroaches on a segment. The check does not ask again what refinement asked of angles and
// segments: refinement may have been wrong.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "stm/stamp/yada/mesh.h"
#include "stm/stamp/yada/plane.h"

namespace mmt::workloads::stm::yada {

// All that hangs together with the segments.
inline std::vector<Element*> elements_of(const Mesh& mesh) {
  Plain plain;
  std::vector<Element*> all;
  std::unordered_set<const Element*> seen;
  const auto add = [&](Element* element) {
    if (seen.insert(element).second) all.push_back(element);
  };
  rb_visit(mesh.boundary->root,
           [&](const RbNode& node) { add(static_cast<Element*>(node.value)); });
  for (size_t next = 0; next < all.size(); ++next) visit_beside(plain, all[next], add);
  return all;
}

// The two have just one edge in common, and know each other; of triangles, neither circle holds the
// other's third corner.
inline bool fit(const Element& one, Element& other) {
  Plain plain;
  size_t common = 0;
  for (int64_t i = 0; i < one.edges(); ++i) {
    for (int64_t j = 0; j < other.edges(); ++j) common += one.edge[i] == other.edge[j] ? 1 : 0;
  }
  Element sought = one;
  if (common != 1 || list_find(plain, other.beside, &sought) != &one) return false;
  const Point* const corner = one.corner;
  return one.is_segment() || other.is_segment() ||
         std::none_of(std::begin(other.corner), std::end(other.corner), [&](Point point) {
           return within_circle(corner[0], corner[1], corner[2], point);
         });
}

// In radians.
inline double angle_at(Point a, Point b, Point c) {
  const int64_t dot = (b.x - a.x) * (c.x - a.x) + (b.y - a.y) * (c.y - a.y);
  return std::atan2(static_cast<double>(cross(a, b, c)), static_cast<double>(dot));
}

inline double least_angle(const Point (&corner)[3]) {
  return std::min({angle_at(corner[0], corner[1], corner[2]),
                   angle_at(corner[1], corner[2], corner[0]),
                   angle_at(corner[2], corner[0], corner[1])});
}

// Whether the point is nearer to the segment's middle than its ends are.
inline bool is_within(const Element& segment, Point point) {
  const Point ends{segment.corner[0].x + segment.corner[1].x,
                   segment.corner[0].y + segment.corner[1].y};
  return squared_distance({2 * point.x, 2 * point.y}, ends) <
         squared_distance(segment.corner[0], segment.corner[1]);
}

inline bool is_right(const Mesh& mesh, const std::vector<Element*>& all) {
  Plain plain;
  const double least = std::acos(mesh.sharp) - 1e-9;
  bool right = rb_black_height(mesh.boundary->root) >= 0;
  int64_t area = 0;
  int64_t around = 0;
  size_t segments = 0;
  std::vector<Point> points;
  for (const Element* element : all) {
    right = right && element->removed == 0 && element->beside->size == element->edges();
    visit_beside(plain, element, [&](Element* beside) { right = right && fit(*element, *beside); });
    const Point* const corner = element->corner;
    if (element->is_segment()) {
      ++segments;
      right = right && element->bad == Bad::kNo &&
              rb_find(plain, mesh.boundary, boundary_key(*element)) == element;
      visit_beside(plain, element, [&](const Element* triangle) {
        for (const Point& point : triangle->corner) right = right && !is_within(*element, point);
      });
      around += std::abs(corner[1].x - corner[0].x) + std::abs(corner[1].y - corner[0].y);
      continue;
    }
    const int64_t twice = cross(corner[0], corner[1], corner[2]);
    right = right && twice > 0 && least_angle(element->corner) >= least;
    area += twice;
    points.insert(points.end(), corner, corner + 3);
  }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  // Euler: points - edges + triangles == 1.
  const size_t triangles = all.size() - segments;
  const size_t edges = (3 * triangles + segments) / 2;
  return right && area == 2 * kSide * kSide && around == 4 * kSide &&
         points.size() + triangles == edges + 1;
}

}  // namespace mmt::workloads::stm::yada
