// mst: the weight of a minimum spanning tree of a complete graph (Olden; Bentley's algorithm, on
// one thread). The vertices keep their edges in hash tables. Memory grows with the square of the
// vertices. Checks the weight against Prim's algorithm on the weights alone, without tables.
#include <cstdint>
#include <cstdlib>

#include "base/fail.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/program.h"
#include "common/clock.h"
#include "mst/edge_table.h"
#include "mst/weights.h"

namespace {

using namespace mmt::workloads;
using namespace mmt::workloads::classic;
using namespace mmt::workloads::classic::mst;

constexpr uint64_t kMostVertices = uint64_t{1} << 20;
constexpr uint64_t kFar = UINT64_MAX;

// A vertex that is not in the tree yet, and its lightest edge into it.
struct Vertex {
  uint64_t number;
  uint64_t distance;
  EdgeTable edges;
  Vertex* next;
};

Vertex* make_graph(uint64_t vertices) {
  Vertex* first = nullptr;
  for (uint64_t i = vertices; i-- > 0;) {
    auto* vertex = static_cast<Vertex*>(allocate(sizeof(Vertex)));
    *vertex = {i, kFar, {}, first};
    vertex->edges.open(vertices);
    first = vertex;
  }
  for (Vertex* vertex = first; vertex != nullptr; vertex = vertex->next) {
    for (uint64_t other = 0; other < vertices; ++other) {
      if (other != vertex->number) vertex->edges.add(other, weight_of(vertex->number, other));
    }
  }
  return first;
}

// Takes the nearest vertex out of the list, time after time. The graph's list is used up; `taken`
// links all vertices again.
uint64_t tree_weight(Vertex* first, Vertex** taken) {
  uint64_t sum = 0;
  Vertex* inserted = first;
  Vertex* left = first->next;
  *taken = first;
  first->next = nullptr;
  while (left != nullptr) {
    Vertex** nearest = &left;
    for (Vertex** link = &left; *link != nullptr; link = &(*link)->next) {
      const uint64_t weight = (*link)->edges.find(inserted->number);
      check(weight != 0, "an edge is missing");
      if (weight < (*link)->distance) (*link)->distance = weight;
      if ((*link)->distance < (*nearest)->distance) nearest = link;
    }
    inserted = *nearest;
    *nearest = inserted->next;
    inserted->next = *taken;
    *taken = inserted;
    sum += inserted->distance;
  }
  return sum;
}

uint64_t prim(uint64_t vertices) {
  auto* distance = allocate_array<uint64_t>(vertices);
  for (uint64_t i = 0; i < vertices; ++i) distance[i] = kFar;
  uint64_t sum = 0;
  uint64_t inserted = 0;
  distance[0] = 0;  // 0: in the tree
  for (uint64_t count = 1; count < vertices; ++count) {
    uint64_t nearest = 0;
    for (uint64_t i = 1; i < vertices; ++i) {
      if (distance[i] == 0) continue;
      const uint64_t weight = weight_of(i, inserted);
      if (weight < distance[i]) distance[i] = weight;
      if (nearest == 0 || distance[i] < distance[nearest]) nearest = i;
    }
    sum += distance[nearest];
    distance[nearest] = 0;
    inserted = nearest;
  }
  std::free(distance);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  Program program("mst", argc, argv);
  const bool frees = program.frees();
  const uint64_t vertices = program.number("vertices", program.small ? 64 : 4096);
  program.finish();
  if (vertices < 2 || vertices > kMostVertices) {
    bad_input("--vertices: 2 to %zu", size_t{kMostVertices});
  }

  Stopwatch watch;
  Vertex* graph = make_graph(vertices);
  const double built = watch.lap();
  Vertex* taken;
  const uint64_t weight = tree_weight(graph, &taken);
  const double found = watch.lap();
  while (frees && taken != nullptr) {
    Vertex* const next = taken->next;
    taken->edges.close();
    std::free(taken);
    taken = next;
  }
  const double freed = watch.lap();
  check(weight == prim(vertices), "another tree is lighter");
  Output output;
  output.print("weight %llu\n", static_cast<unsigned long long>(weight));
  output.flush();

  return program.report({seconds("build", built), seconds("span", found), seconds("free", freed)});
}
