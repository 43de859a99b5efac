// ssca2, kernel 1: builds the adjacency arrays of a directed multigraph of cliques and of edges
// between them. Edges are sorted by radix; a transaction adds one vertex to the in-list of another.
// The check: no edge was lost, out-lists are those of the edges, and each in-list is the one that
// these give.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "stm/common/world.h"
#include "stm/stamp/result.h"

namespace mmt::workloads::stm::ssca2 {

struct Parameters {
  uint64_t scale;  // 2^scale vertices, cliques of at most 2^(scale / 3)
  uint64_t most_parallel;
};

inline Parameters parameters_of(Size size) {
  return by_size<Parameters>(size, {13, 3}, {15, 3}, {16, 3}, {20, 3});
}

struct Edge {
  uint32_t from;
  uint32_t to;
};

struct Input {
  uint32_t vertices;
  std::vector<Edge> edges;
  uint64_t between = 0;  // of them between cliques
};

inline Input make_input(const Parameters& asked) {
  Random random(0);
  Input input;
  input.vertices = uint32_t{1} << asked.scale;
  const uint32_t count = input.vertices;
  std::vector<uint32_t> names(count);
  for (uint32_t i = 0; i < count; ++i) names[i] = i;
  for (uint32_t i = 0; i < count; ++i) {
    std::swap(names[i], names[i + random.below(count - i)]);
  }
  std::vector<uint32_t> firsts;  // of each clique
  std::vector<uint32_t> clique_of(count);
  const uint64_t most = uint64_t{1} << (asked.scale / 3);
  for (uint32_t at = 0; at < count;) {
    const uint32_t end =
        static_cast<uint32_t>(std::min<uint64_t>(count, at + 1 + random.below(most)));
    firsts.push_back(at);
    for (; at < end; ++at) clique_of[at] = static_cast<uint32_t>(firsts.size());
  }
  firsts.push_back(count);
  // Within a clique each pair has one edge, in either direction.
  for (size_t clique = 0; clique + 1 < firsts.size(); ++clique) {
    for (uint32_t left = firsts[clique]; left < firsts[clique + 1]; ++left) {
      for (uint32_t right = firsts[clique]; right < left; ++right) {
        if (random.below(1000) < 500) {
          input.edges.push_back({left, right});
        } else {
          input.edges.push_back({right, left});
        }
      }
    }
  }
  // To vertices of other cliques 1, 2, 4 ... before and after, each half as likely.
  const uint64_t inside = input.edges.size();
  for (uint32_t from = 0; from < count; ++from) {
    double probability = 1;
    for (uint32_t distance = 1; distance < count; distance *= 2, probability /= 2) {
      for (const uint32_t to : {(from + distance) % count, (from + count - distance) % count}) {
        if (static_cast<double>(random.below(1000)) / 1000 > probability) continue;
        if (clique_of[to] == clique_of[from]) continue;
        const uint64_t parallel = random.below(asked.most_parallel) + 1;
        input.edges.insert(input.edges.end(), parallel, {from, to});
      }
    }
  }
  input.between = input.edges.size() - inside;
  for (Edge& edge : input.edges) edge = {names[edge.from], names[edge.to]};
  return input;
}

// Stable, by one end of the edges, 11 bits at a time.
template <class Key>
void sort_by(std::vector<Edge>* edges, Edge* spare, Key key) {
  constexpr unsigned kBits = 11;
  Edge* from = edges->data();
  Edge* to = spare;
  const size_t count = edges->size();
  for (unsigned shift = 0; shift < 2 * kBits; shift += kBits) {
    size_t starts[(size_t{1} << kBits) + 1] = {};
    const auto digit = [&](const Edge& edge) {
      return (key(edge) >> shift) & ((uint32_t{1} << kBits) - 1);
    };
    for (size_t i = 0; i < count; ++i) ++starts[digit(from[i]) + 1];
    for (size_t i = 0; i < size_t{1} << kBits; ++i) starts[i + 1] += starts[i];
    for (size_t i = 0; i < count; ++i) to[starts[digit(from[i])]++] = from[i];
    std::swap(from, to);
  }
}

inline void sort(std::vector<Edge>* edges, Edge* spare) {
  sort_by(edges, spare, [](const Edge& edge) { return edge.to; });
  sort_by(edges, spare, [](const Edge& edge) { return edge.from; });
}

// An array whose pages a plain call allocates.
template <class T>
class Array {
 public:
  explicit Array(size_t count) : data_(static_cast<T*>(plain_allocate(count * sizeof(T)))) {
    std::fill_n(data_, count, T{});
  }
  ~Array() { plain_free(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  T& operator[](size_t i) const { return data_[i]; }
  T* data() const { return data_; }

 private:
  T* data_;
};

// Edges in order of their first vertex; parallel ones are one edge in the adjacency arrays.
struct Graph {
  Graph(uint32_t vertices, size_t edges)
      : starts(vertices + 1), out(edges), in_degree(vertices), in_starts(vertices + 1), in(edges) {}

  bool has_edge(uint32_t from, uint32_t to) const {
    return std::binary_search(out.data() + starts[from], out.data() + starts[from + 1], to);
  }

  Array<size_t> starts;
  Array<uint32_t> out;
  Array<uint64_t> in_degree;  // of in-lists: how many are in
  Array<size_t> in_starts;    // room for all edges
  Array<uint32_t> in;
};

// Puts the sorted edges without copies into `graph`; how many there are.
inline size_t fill_out(const Input& input, Graph& graph) {
  size_t count = 0;
  uint32_t vertex = 0;
  for (size_t i = 0; i < input.edges.size(); ++i) {
    const Edge& edge = input.edges[i];
    while (vertex < edge.from) graph.starts[++vertex] = count;
    if (count > graph.starts[vertex] && graph.out[count - 1] == edge.to) continue;
    graph.out[count++] = edge.to;
    ++graph.in_starts[edge.to + 1];
  }
  while (vertex < input.vertices) graph.starts[++vertex] = count;
  for (uint32_t i = 0; i < input.vertices; ++i) graph.in_starts[i + 1] += graph.in_starts[i];
  return count;
}

// In-lists hold the vertices that have an edge here that does not go back.
template <class Worker>
void fill_in(Worker& worker, Graph& graph, const Share& share) {
  for (size_t from = share.begin; from < share.end; ++from) {
    const uint32_t name = static_cast<uint32_t>(from);
    for (size_t i = graph.starts[from]; i < graph.starts[from + 1]; ++i) {
      const uint32_t to = graph.out[i];
      if (graph.has_edge(to, name)) continue;
      worker.run([&](auto& tx) {
        const uint64_t degree = tx.read(graph.in_degree[to]);
        tx.write(graph.in[graph.in_starts[to] + degree], name);
        tx.write(graph.in_degree[to], degree + 1);
      });
    }
  }
}

// The same for the same edges in any order, and hardly for others.
inline uint64_t digest_of(const std::vector<Edge>& edges) {
  uint64_t sum = edges.size();
  for (const Edge& edge : edges) {
    uint64_t mixed = (uint64_t{edge.from} << 32 | edge.to) + 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    sum += mixed ^ mixed >> 31;
  }
  return sum;
}

// Whether the out-lists are those of the edges, which were sorted and had this digest before.
inline bool has_edges(const Graph& graph, const Input& sorted, uint64_t digest) {
  const std::vector<Edge>& edges = sorted.edges;
  const auto before = [](const Edge& a, const Edge& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  };
  if (digest_of(edges) != digest || !std::is_sorted(edges.begin(), edges.end(), before)) {
    return false;
  }
  size_t at = 0;
  for (uint32_t from = 0; from < sorted.vertices; ++from) {
    size_t out = graph.starts[from];
    const size_t end = graph.starts[from + 1];
    while (at < edges.size() && edges[at].from == from) {
      const uint32_t to = edges[at].to;
      if (out >= end || graph.out[out++] != to) return false;
      while (at < edges.size() && edges[at].from == from && edges[at].to == to) ++at;
    }
    if (out != end) return false;
  }
  return at == edges.size() && graph.starts[0] == 0;
}

inline bool is_right(const Graph& graph, const Input& sorted, uint64_t digest) {
  if (!has_edges(graph, sorted, digest)) return false;
  // Not by the graph's own search, which the in-lists were made by.
  const auto leads = [&](uint32_t from, uint32_t to) {
    const std::span out(graph.out.data() + graph.starts[from],
                        graph.out.data() + graph.starts[from + 1]);
    return std::binary_search(out.begin(), out.end(), to);
  };
  uint64_t in_lists = 0;
  uint64_t one_way = 0;
  for (uint32_t to = 0; to < sorted.vertices; ++to) {
    if (graph.in_degree[to] > graph.in_starts[to + 1] - graph.in_starts[to]) return false;
    uint32_t* const begin = graph.in.data() + graph.in_starts[to];
    uint32_t* const end = begin + graph.in_degree[to];
    std::sort(begin, end);
    if (std::adjacent_find(begin, end) != end) return false;
    for (const uint32_t* from = begin; from != end; ++from) {
      if (*from >= sorted.vertices || !leads(*from, to) || leads(to, *from)) return false;
    }
    in_lists += graph.in_degree[to];
  }
  for (uint32_t from = 0; from < sorted.vertices; ++from) {
    for (size_t i = graph.starts[from]; i < graph.starts[from + 1]; ++i) {
      if (!leads(graph.out[i], from)) ++one_way;
    }
  }
  return in_lists == one_way;
}

template <class World>
Result run(World& world, Size size) {
  const Parameters asked = parameters_of(size);
  Input input = make_input(asked);
  const uint64_t digest = digest_of(input.edges);
  Result result;
  Graph graph(input.vertices, input.edges.size());
  Array<Edge> spare(input.edges.size());
  size_t different = 0;
  Stopwatch clock;
  world.parallel([&](auto& worker, unsigned number) {
    if (number == 0) {
      sort(&input.edges, spare.data());
      different = fill_out(input, graph);
    }
    world.wait();
    fill_in(worker, graph, Share(input.vertices, number, world.threads()));
  });
  result.seconds = clock.lap();
  result.right = is_right(graph, input, digest);
  result.numbers = {{"edges", input.edges.size()},
                    {"within cliques", input.edges.size() - input.between},
                    {"between cliques", input.between},
                    {"different", different}};
  return result;
}

}  // namespace mmt::workloads::stm::ssca2
