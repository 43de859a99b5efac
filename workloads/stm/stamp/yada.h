// yada: Ruppert's refinement of a Delaunay mesh. Bad elements wait in a heap; one large transaction
// replaces all around a bad one. The check: the mesh covers its domain, is Delaunay, and has no
// angle below the bound. Its points lie on a grid, so that the predicates are exact.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "stm/common/heap.h"
#include "stm/common/world.h"
#include "stm/stamp/result.h"
#include "stm/stamp/yada/mesh.h"
#include "stm/stamp/yada/mesh_check.h"
#include "stm/stamp/yada/refinement.h"
#include "stm/stamp/yada/triangulation.h"

namespace mmt::workloads::stm::yada {

struct Parameters {
  double angle;   // degrees, the least that may stay
  size_t points;  // of the mesh at the start
};

inline Parameters parameters_of(Size size) {
  return by_size<Parameters>(size, {20, 640}, {20, 16000}, {20, 40000}, {15, 1000000});
}

struct Input {
  Mesh mesh;
  Heap* waiting;  // bad elements
  uint64_t elements = 0;
  uint64_t bad = 0;
};

inline Input make_input(const Parameters& asked) {
  Plain plain;
  Input input{{rb_create(plain), std::cos(asked.angle * std::numbers::pi / 180)},
              heap_create(plain, 1, compare_urgency)};
  const auto add = [&](AvlTree* edges, Element* element) {
    join(plain, edges, element);
    ++input.elements;
  };
  const auto judge = [&](Element* element) {
    if (element->bad == Bad::kNo) return;
    element->awaited = 1;
    heap_insert(plain, input.waiting, element);
    ++input.bad;
  };
  const Triangulation start(asked.points, 0);
  AvlTree* const edges = avl_create(plain, compare_edges);
  for (const Triangulation::Triangle& one : start.triangles()) {
    const std::vector<Point>& points = start.points();
    Element* const made = create_triangle(plain, input.mesh, points[one.corner[0]],
                                          points[one.corner[1]], points[one.corner[2]]);
    add(edges, made);
    judge(made);
  }
  for (size_t i = 0; i < 4; ++i) {
    Element* const made = create_segment(plain, start.points()[i], start.points()[(i + 1) % 4]);
    add(edges, made);
    rb_insert(plain, input.mesh.boundary, boundary_key(*made), made);
    judge_segment(plain, made);
    judge(made);
  }
  map_destroy(plain, edges);
  return input;
}

struct Work {
  uint64_t processed = 0;
  uint64_t points = 0;
  std::vector<Refinement::Left> left;
};

// False: it was removed while it waited.
template <class Tx>
bool still_there(Tx& tx, Element* element) {
  if (tx.read(element->removed) == 0) return true;
  tx.free(element, sizeof(Element));
  return false;
}

template <class Worker>
void work(Worker& worker, Input& input, Work* done) {
  Refinement refinement(input.mesh);
  for (;;) {
    Element* const element =
        static_cast<Element*>(worker.run([&](auto& tx) { return heap_pop(tx, input.waiting); }));
    if (element == nullptr) return;
    if (!worker.run([&](auto& tx) { return still_there(tx, element); })) continue;
    ++done->processed;
    done->points += worker.run([&](auto& tx) { return refinement.refine(tx, element); });
    done->left.insert(done->left.end(), refinement.left().begin(), refinement.left().end());
    const Vector* const bad = refinement.bad();
    worker.run([&](auto& tx) {
      for (size_t i = 0; i < bad->size; ++i) heap_insert(tx, input.waiting, bad->elements[i]);
    });
  }
}

inline void empty(Input& input, const std::vector<Element*>& all, const std::vector<Work>& done) {
  Plain plain;
  for (Element* element : all) {
    list_destroy(plain, element->beside);
    plain_free(element);
  }
  for (const Work& one : done) {
    for (const Refinement::Left& left : one.left) {
      list_destroy(plain, left.list);
      plain_free(left.centre);
    }
  }
  rb_destroy(plain, input.mesh.boundary);
  heap_destroy(plain, input.waiting);
}

template <class World>
Result run(World& world, Size size) {
  Input input = make_input(parameters_of(size));
  std::vector<Work> done(world.threads());
  Stopwatch clock;
  world.parallel([&](auto& worker, unsigned number) {
    world.wait();  // or the first would be done with a small mesh before the others begin
    work(worker, input, &done[number]);
  });
  Result result;
  result.seconds = clock.lap();
  const std::vector<Element*> all = elements_of(input.mesh);
  uint64_t processed = 0;
  uint64_t points = 0;
  for (const Work& one : done) {
    processed += one.processed;
    points += one.points;
  }
  result.right = is_right(input.mesh, all) && input.waiting->size == 0 &&
                 all.size() == input.elements + 2 * points;
  result.numbers = {{"elements", input.elements},
                    {"bad", input.bad},
                    {"processed", processed},
                    {"points", points},
                    {"final", all.size()}};
  empty(input, all, done);
  return result;
}

}  // namespace mmt::workloads::stm::yada
