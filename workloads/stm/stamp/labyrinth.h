// labyrinth: Lee's routing in three dimensions. One large transaction a route copies the grid by
// plain reads, searches the copy, and takes the points of its path, which fails when somebody took
// one meanwhile. The check: all paths, laid on a fresh grid, join their ends and never cross.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "stm/common/queue.h"
#include "stm/common/world.h"
#include "stm/stamp/result.h"

namespace mmt::workloads::stm::labyrinth {

struct Parameters {
  int64_t size[3];
  size_t routes;
};

inline Parameters parameters_of(Size size) {
  return by_size<Parameters>(size, {{32, 32, 3}, 96}, {{128, 128, 5}, 128}, {{512, 512, 7}, 512});
}

inline constexpr int64_t kEmpty = -1;
inline constexpr int64_t kFull = -2;
inline constexpr int64_t kCost[3] = {1, 1, 2};  // of a step
inline constexpr size_t kDirections = 6;

struct Grid {
  explicit Grid(const Parameters& asked)
      : size{asked.size[0], asked.size[1], asked.size[2]},
        count(static_cast<size_t>(size[0] * size[1] * size[2])),
        points(static_cast<int64_t*>(plain_allocate(count * sizeof(int64_t)))) {
    std::fill_n(points, count, kEmpty);
  }
  ~Grid() { plain_free(points); }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;

  // -1 beyond the edge.
  int64_t neighbour(int64_t at, size_t direction) const {
    int64_t place[3] = {at % size[0], at / size[0] % size[1], at / size[0] / size[1]};
    int64_t& moved = place[direction / 2];
    moved += direction % 2 == 0 ? 1 : -1;
    if (moved < 0 || moved >= size[direction / 2]) return -1;
    return (place[2] * size[1] + place[1]) * size[0] + place[0];
  }

  int64_t size[3];
  size_t count;
  int64_t* points;
};

struct Route {
  int64_t from;
  int64_t to;
};

struct Path {
  const Route* route;
  size_t length;
  int64_t* points;  // from the end to the start, both included
};

inline std::vector<Route> make_routes(const Parameters& asked, Grid& grid) {
  Random random(0);
  std::vector<Route> routes(asked.routes);
  const auto take = [&] {
    for (;;) {
      const size_t at = random.below(grid.count);
      if (grid.points[at] == kFull) continue;
      grid.points[at] = kFull;
      return static_cast<int64_t>(at);
    }
  };
  for (Route& route : routes) {
    route.from = take();
    route.to = take();
  }
  return routes;
}

// What one thread searches in.
class Search {
 public:
  Search(const Parameters& asked, const Grid& shared) : shared_(shared), mine_(asked) {
    next_ = queue_create(plain_, 1024);
  }
  ~Search() { queue_destroy(plain_, next_); }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // The path, from its end; empty when there is none.
  const std::vector<int64_t>& path_of(const Route& route) {
    for (size_t i = 0; i < mine_.count; ++i) {
      // Others write meanwhile: who takes a point looks again.
      mine_.points[i] = std::atomic_ref(shared_.points[i]).load(std::memory_order_relaxed);
    }
    path_.clear();
    if (expand(route)) trace_back(route);
    return path_;
  }

 private:
  bool expand(const Route& route) {
    mine_.points[route.from] = 0;
    mine_.points[route.to] = kEmpty;
    while (queue_pop(plain_, next_) != nullptr) {
    }
    push(route.from);
    for (int64_t at; (at = pop()) >= 0;) {
      if (at == route.to) return true;
      for (size_t direction = 0; direction < kDirections; ++direction) {
        const int64_t beside = mine_.neighbour(at, direction);
        if (beside < 0) continue;
        const int64_t cost = mine_.points[at] + kCost[direction / 2];
        int64_t& there = mine_.points[beside];
        if (there != kEmpty && there <= cost) continue;  // kFull is below every cost
        there = cost;
        push(beside);
      }
    }
    return false;
  }

  // Straight on, where that is no longer than a bend.
  void trace_back(const Route& route) {
    size_t ahead = kDirections;
    for (int64_t at = route.to; at != route.from;) {
      path_.push_back(at);
      int64_t best = -1;
      size_t turned = ahead;
      for (size_t i = 0; i <= kDirections; ++i) {
        const size_t direction = i == 0 ? ahead : i - 1;
        if (direction == kDirections) continue;
        const int64_t beside = mine_.neighbour(at, direction);
        if (beside < 0 || mine_.points[beside] < 0) continue;
        if (mine_.points[beside] + kCost[direction / 2] > mine_.points[at]) continue;
        if (best >= 0 && mine_.points[beside] >= mine_.points[best]) continue;
        best = beside;
        turned = direction;
      }
      ahead = turned;
      at = best;
    }
    path_.push_back(route.from);
  }

  void push(int64_t at) {
    queue_push(plain_, next_, reinterpret_cast<void*>(static_cast<uintptr_t>(at) + 1));
  }
  int64_t pop() {
    return static_cast<int64_t>(reinterpret_cast<uintptr_t>(queue_pop(plain_, next_))) - 1;
  }

  Plain plain_;
  const Grid& shared_;
  Grid mine_;
  Queue* next_;
  std::vector<int64_t> path_;
};

template <class Tx>
void take_points(Tx& tx, Grid& grid, const std::vector<int64_t>& path) {
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    int64_t& point = grid.points[path[i]];
    if (tx.read(point) != kEmpty) tx.retry();
    tx.write(point, kFull);
  }
}

// Joins the ends of routes until none is left; returns the paths.
template <class Worker>
std::vector<Path> work(Worker& worker, const Parameters& asked, Grid& grid, Queue* routes) {
  Search search(asked, grid);
  std::vector<Path> paths;
  for (;;) {
    const Route* const route =
        static_cast<Route*>(worker.run([&](auto& tx) { return queue_pop(tx, routes); }));
    if (route == nullptr) return paths;
    const std::vector<int64_t>* path = nullptr;
    worker.run([&](auto& tx) {
      path = &search.path_of(*route);
      take_points(tx, grid, *path);
    });
    if (path->empty()) continue;
    int64_t* const points = static_cast<int64_t*>(plain_allocate(path->size() * sizeof(int64_t)));
    std::copy(path->begin(), path->end(), points);
    paths.push_back({route, path->size(), points});
  }
}

inline bool lies_right(const Path& path, Grid& grid) {
  if (path.points[0] != path.route->to || path.points[path.length - 1] != path.route->from) {
    return false;
  }
  for (size_t i = 1; i < path.length; ++i) {
    bool beside = false;
    for (size_t direction = 0; direction < kDirections; ++direction) {
      beside = beside || grid.neighbour(path.points[i - 1], direction) == path.points[i];
    }
    if (!beside) return false;
    if (i + 1 == path.length) break;
    if (grid.points[path.points[i]] != kEmpty) return false;
    grid.points[path.points[i]] = kFull;
  }
  return true;
}

template <class World>
Result run(World& world, Size size) {
  const Parameters asked = parameters_of(size);
  Plain plain;
  Grid grid(asked);
  std::vector<Route> routes = make_routes(asked, grid);
  Queue* const waiting = queue_create(plain, asked.routes);
  for (Route& route : routes) queue_push(plain, waiting, &route);
  std::vector<std::vector<Path>> paths(world.threads());
  Result result;
  Stopwatch clock;
  world.parallel(
      [&](auto& worker, unsigned number) { paths[number] = work(worker, asked, grid, waiting); });
  result.seconds = clock.lap();
  Grid fresh(asked);
  make_routes(asked, fresh);
  size_t routed = 0;
  result.right = true;
  for (const std::vector<Path>& some : paths) {
    for (const Path& path : some) {
      result.right = result.right && lies_right(path, fresh);
      ++routed;
      plain_free(path.points);
    }
  }
  result.right = result.right && std::equal(fresh.points, fresh.points + fresh.count, grid.points);
  result.numbers = {{"routes", asked.routes}, {"routed", routed}};
  queue_destroy(plain, waiting);
  return result;
}

}  // namespace mmt::workloads::stm::labyrinth
