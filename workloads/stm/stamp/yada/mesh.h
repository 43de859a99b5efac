// A triangle mesh of elements: triangles, and the segments of the domain's edge. Each element has a
// list of those beside it, an edge in common: a triangle three, a segment one. Points, edges and
// badness never change; the rest is for transactions.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>

#include "stm/common/avl_map.h"
#include "stm/common/list.h"
#include "stm/common/rb_tree.h"
#include "stm/common/world.h"
#include "stm/stamp/yada/plane.h"

namespace mmt::workloads::stm::yada {

struct Edge {
  Point low, high;
  bool operator==(const Edge&) const = default;
  auto operator<=>(const Edge&) const = default;
};
static_assert(sizeof(Edge) == 32);

inline Edge edge_of(Point a, Point b) { return a < b ? Edge{a, b} : Edge{b, a}; }

// What is to be refined, by urgency.
enum class Bad : uint64_t { kNo, kSharp, kEncroached };

struct Element {
  int64_t corners;  // 3 of a triangle, which turn left; 2 of a segment
  Point corner[3];
  Edge edge[3];       // of a segment: one
  Point centre;       // of its circle, where a new point would go
  Bad bad;            // a sharp angle; a segment in whose circle the triangle's third corner lies
  List* beside;       // written once, as it is made
  uint64_t removed;   // it is no part of the mesh any more
  uint64_t awaited;   // in the heap, or its refiner has taken it out: not to be freed by others
  uint64_t spare[7];  // to the size of the paper's program

  bool is_segment() const { return corners == 2; }
  int64_t edges() const { return is_segment() ? 1 : 3; }
};
static_assert(sizeof(Element) == 256);

inline long compare_edges(const void* left, const void* right) {
  const auto order = *static_cast<const Edge*>(static_cast<const Pair*>(left)->key) <=>
                     *static_cast<const Edge*>(static_cast<const Pair*>(right)->key);
  return order < 0 ? -1 : order > 0;
}

// By their points, so that a run does not depend on addresses.
inline long compare_elements(const void* left, const void* right) {
  const Element& a = *static_cast<const Element*>(left);
  const Element& b = *static_cast<const Element*>(right);
  if (a.corners != b.corners) return a.corners < b.corners ? -1 : 1;
  for (int64_t i = 0; i < a.corners; ++i) {
    if (a.corner[i] != b.corner[i]) return a.corner[i] < b.corner[i] ? -1 : 1;
  }
  return 0;
}

inline long compare_urgency(const void* left, const void* right) {
  return static_cast<long>(static_cast<const Element*>(left)->bad) -
         static_cast<long>(static_cast<const Element*>(right)->bad);
}

// This is the key of a segment in the set of all: no two have the same middle. Twice the
// coordinates of the middle fit 32 bits.
inline uint64_t boundary_key(const Element& segment) {
  const Point a = segment.corner[0];
  const Point b = segment.corner[1];
  return static_cast<uint64_t>(a.x + b.x) << 32 | static_cast<uint64_t>(a.y + b.y);
}

// The elements beside `element`.
template <class Tx, class Visit>
void visit_beside(Tx& tx, const Element* element, Visit&& visit) {
  ListNode* node = tx.read(element->beside->head.next);
  for (; node != nullptr; node = tx.read(node->next)) {
    visit(static_cast<Element*>(tx.read(node->data)));
  }
}

struct Mesh {
  RbTree* boundary;  // the segments by key
  double sharp;      // the cosine of the least angle that may stay
};

template <class Tx>
Element* create_segment(Tx& tx, Point a, Point b) {
  Element* const element = static_cast<Element*>(tx.allocate(sizeof(Element)));
  *element = {};
  element->corners = 2;
  element->corner[0] = a;
  element->corner[1] = b;
  element->edge[0] = edge_of(a, b);
  element->centre = {a.x + (b.x - a.x) / 2, a.y + (b.y - a.y) / 2};
  element->beside = list_create(tx, compare_elements);
  return element;
}

// The corners turn left or right, but turn.
template <class Tx>
Element* create_triangle(Tx& tx, const Mesh& mesh, Point a, Point b, Point c) {
  Element* const element = static_cast<Element*>(tx.allocate(sizeof(Element)));
  *element = {};
  if (cross(a, b, c) < 0) std::swap(a, b);
  element->corners = 3;
  element->corner[0] = a;
  element->corner[1] = b;
  element->corner[2] = c;
  element->edge[0] = edge_of(a, b);
  element->edge[1] = edge_of(b, c);
  element->edge[2] = edge_of(c, a);
  element->centre = centre_of(a, b, c);
  if (has_angle_below(a, b, c, mesh.sharp)) element->bad = Bad::kSharp;
  element->beside = list_create(tx, compare_elements);
  return element;
}

// Joins the element with those that `edges` holds: there each edge has its first element, and
// nothing once it has two. The map is the thread's own. As in the paper's program, the second
// element replaces the entry by another.
template <class Tx>
void join(Tx& tx, AvlTree* edges, Element* element) {
  Plain plain;
  for (int64_t i = 0; i < element->edges(); ++i) {
    Edge* const edge = &element->edge[i];
    const Pair* const known = map_find(plain, edges, edge);
    if (known == nullptr) {
      map_insert(plain, edges, edge, element);
      continue;
    }
    Element* const other = static_cast<Element*>(known->value);
    if (other == nullptr) throw std::logic_error("yada: three elements at one edge");
    list_insert(tx, element->beside, other);
    list_insert(tx, other->beside, element);
    map_remove(plain, edges, edge);
    map_insert(plain, edges, edge, nullptr);
  }
}

// The segment is the thread's own, joined with its triangle. This judges whether the triangle
// encroaches on it.
template <class Tx>
void judge_segment(Tx& tx, Element* segment) {
  visit_beside(tx, segment, [&](const Element* triangle) {
    for (const Point& corner : triangle->corner) {
      if (within_diameter(segment->corner[0], segment->corner[1], corner)) {
        segment->bad = Bad::kEncroached;
      }
    }
  });
}

}  // namespace mmt::workloads::stm::yada
