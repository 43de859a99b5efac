// This refines the mesh around one bad element. It finds the cavity: the elements whose circle
// holds the new point. It puts triangles from each edge of the cavity's border to that point in its
// place. A point that would encroach on a segment splits the segment instead (Ruppert). Lists,
// queue and map are the thread's own. An attempt empties what an aborted one left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "stm/common/avl_map.h"
#include "stm/common/list.h"
#include "stm/common/queue.h"
#include "stm/common/vector.h"
#include "stm/common/world.h"
#include "stm/stamp/yada/mesh.h"
#include "stm/stamp/yada/plane.h"

namespace mmt::workloads::stm::yada {

inline long compare_plain_edges(const void* left, const void* right) {
  const auto order = *static_cast<const Edge*>(left) <=> *static_cast<const Edge*>(right);
  return order < 0 ? -1 : order > 0;
}

class Refinement {
 public:
  explicit Refinement(const Mesh& mesh)
      : mesh_(mesh),
        cavity_(list_create(plain_, compare_elements)),
        border_(list_create(plain_, compare_plain_edges)),
        next_(queue_create(plain_, 8)),
        bad_(vector_create(plain_, 8)) {}
  ~Refinement() {
    if (edges_ != nullptr) map_destroy(plain_, edges_);
    list_destroy(plain_, cavity_);
    list_destroy(plain_, border_);
    queue_destroy(plain_, next_);
    vector_destroy(plain_, bad_);
  }
  Refinement(const Refinement&) = delete;
  Refinement& operator=(const Refinement&) = delete;

  // Until `element`, which the thread took from the heap, is no part of the mesh. How many points
  // that took.
  template <class Tx>
  uint64_t refine(Tx& tx, Element* element) {
    vector_clear(plain_, bad_);
    left_.clear();
    own_ = element;
    uint64_t points = 0;
    bool its_own = false;
    while (tx.read(element->removed) == 0) {
      Element* centre = element;
      if (Element* const segment = find_cavity(tx, centre); segment != nullptr) {
        centre = segment;
        find_cavity(tx, centre);
      }
      fill_cavity(tx, centre);
      ++points;
      its_own = centre == element;
    }
    if (!its_own) tx.free(element, sizeof(Element));
    return points;
  }

  // These are of the attempt that committed: new elements that are bad, and what is left of removed
  // ones. The paper's program forgets the latter: their lists, and the elements that were refined.
  const Vector* bad() const { return bad_; }
  struct Left {
    List* list;
    Element* centre;  // or null
  };
  const std::vector<Left>& left() const { return left_; }

 private:
  void begin() {
    list_clear(plain_, cavity_);
    list_clear(plain_, border_);
    queue_clear(plain_, next_);
    if (edges_ != nullptr) map_destroy(plain_, edges_);
    edges_ = avl_create(plain_, compare_edges);
  }

  bool in_cavity(Element* element) { return list_find(plain_, cavity_, element) != nullptr; }

  // Null when all of the cavity was found, or a segment that the point encroaches on.
  template <class Tx>
  Element* find_cavity(Tx& tx, Element* centre) {
    begin();
    const Point point = centre->centre;
    list_insert(plain_, cavity_, centre);
    queue_push(plain_, next_, centre);
    Element* encroached = nullptr;
    while (Element* const here = static_cast<Element*>(queue_pop(plain_, next_))) {
      visit_beside(tx, here, [&](Element* beside) {
        if (encroached != nullptr || in_cavity(beside)) return;
        const Point* const corner = beside->corner;
        if (beside->is_segment()) {
          if (!centre->is_segment() && encroaches(here, beside, point)) {
            encroached = beside;
            return;
          }
        } else if (within_circle(corner[0], corner[1], corner[2], point)) {
          list_insert(plain_, cavity_, beside);
          queue_push(plain_, next_, beside);
          return;
        }
        add_border(here, beside);
      });
      if (encroached != nullptr) return encroached;
    }
    return nullptr;
  }

  // Within its circle, or not strictly on that side of it where `triangle` is.
  static bool encroaches(const Element* triangle, const Element* segment, Point point) {
    const Point a = segment->corner[0];
    const Point b = segment->corner[1];
    if (within_diameter(a, b, point)) return true;
    const int64_t side = cross(a, b, point);
    return side == 0 ||
           std::any_of(std::begin(triangle->corner), std::end(triangle->corner), [&](Point corner) {
             const int64_t inner = cross(a, b, corner);
             return inner != 0 && (inner > 0) != (side > 0);
           });
  }

  void add_border(const Element* inside, Element* outside) {
    for (int64_t i = 0; i < outside->edges(); ++i) {
      Edge* const edge = &outside->edge[i];
      for (int64_t j = 0; j < inside->edges(); ++j) {
        if (*edge != inside->edge[j]) continue;
        list_insert(plain_, border_, edge);
        map_insert(plain_, edges_, edge, outside);
        return;
      }
    }
  }

  template <class Tx>
  void fill_cavity(Tx& tx, Element* centre) {
    for (const ListNode* node = cavity_->head.next; node != nullptr; node = node->next) {
      remove(tx, static_cast<Element*>(node->data));
    }
    const Point point = centre->centre;
    Element* halves[2] = {nullptr, nullptr};
    if (centre->is_segment()) {
      rb_remove(tx, mesh_.boundary, boundary_key(*centre));
      for (size_t i = 0; i < 2; ++i) {
        halves[i] = create_segment(tx, centre->corner[i], point);
        rb_insert(tx, mesh_.boundary, boundary_key(*halves[i]), halves[i]);
        join(tx, edges_, halves[i]);
      }
    }
    for (const ListNode* node = border_->head.next; node != nullptr; node = node->next) {
      const Edge& edge = *static_cast<const Edge*>(node->data);
      Element* const made = create_triangle(tx, mesh_, edge.low, edge.high, point);
      join(tx, edges_, made);
      keep_bad(made);
    }
    for (Element* half : halves) {
      if (half == nullptr) continue;
      judge_segment(tx, half);
      keep_bad(half);
    }
    for (const ListNode* node = cavity_->head.next; node != nullptr; node = node->next) {
      let_go(tx, static_cast<Element*>(node->data), centre);
    }
  }

  void keep_bad(Element* made) {
    if (made->bad == Bad::kNo) return;
    made->awaited = 1;
    vector_push(plain_, bad_, made);
  }

  template <class Tx>
  void remove(Tx& tx, Element* element) {
    visit_beside(tx, element, [&](Element* beside) {
      if (!in_cavity(beside)) list_remove(tx, beside->beside, element);
    });
    tx.write(element->removed, 1);
  }

  // What was removed, once nothing looks at it any more.
  template <class Tx>
  void let_go(Tx& tx, Element* element, const Element* centre) {
    // The thread that takes an awaited element from the heap frees it; refine() sees to its own.
    const bool awaited = tx.read(element->awaited) != 0;
    const bool stays = element == centre && (!awaited || element == own_);
    left_.push_back({element->beside, stays ? element : nullptr});
    if (!awaited && !stays) tx.free(element, sizeof(Element));
  }

  Plain plain_;
  const Mesh& mesh_;
  const Element* own_ = nullptr;  // that is refined
  List* cavity_;                  // its elements
  List* border_;                  // its edges
  AvlTree* edges_ = nullptr;      // for join()
  Queue* next_;                   // of the cavity, whose neighbours are still to be looked at
  Vector* bad_;
  std::vector<Left> left_;
};

}  // namespace mmt::workloads::stm::yada
