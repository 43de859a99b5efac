// labyrinth: Lee's routing in three dimensions. Each route is one large transaction. It copies the
// grid by plain reads, searches the copy, and takes the points of its path. It fails when somebody
// took one of them meanwhile. The check: all paths, laid on a fresh grid, join their ends and never
// cross. A route that has no path can have none between them.
//
// A path is made of plain blocks, which no abort gives back. The paper's program forgets those of
// aborted attempts: Quirk::kKept keeps them until the thread ends.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "stm/common/list.h"
#include "stm/common/queue.h"
#include "stm/common/vector.h"
#include "stm/common/world.h"
#include "stm/stamp/result.h"

namespace mmt::workloads::stm::labyrinth {

struct Parameters {
  int64_t size[3];
  size_t routes;
};

inline Parameters parameters_of(Size size) {
  return by_size<Parameters>(size, {{32, 32, 3}, 96}, {{128, 128, 5}, 64}, {{128, 128, 5}, 128},
                             {{512, 512, 7}, 512});
}

inline constexpr int64_t kEmpty = -1;
inline constexpr int64_t kFull = -2;
inline constexpr int64_t kCost[3] = {1, 1, 2};  // of a step
inline constexpr size_t kDirections = 6;

struct Grid {
  int64_t size[3];
  size_t count;
  int64_t* points;

  // -1 beyond the edge.
  int64_t neighbour(int64_t at, size_t direction) const {
    int64_t place[3] = {at % size[0], at / size[0] % size[1], at / size[0] / size[1]};
    int64_t& moved = place[direction / 2];
    moved += direction % 2 == 0 ? 1 : -1;
    if (moved < 0 || moved >= size[direction / 2]) return -1;
    return (place[2] * size[1] + place[1]) * size[0] + place[0];
  }
};
static_assert(sizeof(Grid) == 40);

inline Grid* grid_create(const Parameters& asked) {
  Grid* const grid = static_cast<Grid*>(plain_allocate(sizeof(Grid)));
  *grid = {{asked.size[0], asked.size[1], asked.size[2]}, 0, nullptr};
  grid->count = static_cast<size_t>(asked.size[0] * asked.size[1] * asked.size[2]);
  grid->points = static_cast<int64_t*>(plain_allocate(grid->count * sizeof(int64_t)));
  std::fill_n(grid->points, grid->count, kEmpty);
  return grid;
}
inline void grid_destroy(Grid* grid) {
  plain_free(grid->points);
  plain_free(grid);
}

struct Coordinate {
  int64_t at[3];

  int64_t in(const Grid& grid) const {
    return (at[2] * grid.size[1] + at[1]) * grid.size[0] + at[0];
  }
};
static_assert(sizeof(Coordinate) == 24);

struct Route {
  Coordinate* from;
  Coordinate* to;
};
static_assert(sizeof(Route) == 16);

// Short ones first; no two begin at the same point.
inline long compare_routes(const void* left, const void* right) {
  const Route& a = *static_cast<const Route*>(left);
  const Route& b = *static_cast<const Route*>(right);
  int64_t longer = 0;
  for (size_t i = 0; i < 3; ++i) {
    longer += std::abs(a.from->at[i] - a.to->at[i]) - std::abs(b.from->at[i] - b.to->at[i]);
  }
  for (size_t i = 0; i < 3 && longer == 0; ++i) longer = a.from->at[i] - b.from->at[i];
  return longer;
}

// The routes in a list; their ends are taken in the grid.
inline List* make_routes(const Parameters& asked, Grid& grid) {
  Plain plain;
  Random random(0);
  List* const routes = list_create(plain, compare_routes);
  const auto take = [&] {
    for (;;) {
      const auto at = static_cast<int64_t>(random.below(grid.count));
      if (grid.points[at] == kFull) continue;
      grid.points[at] = kFull;
      Coordinate* const taken = static_cast<Coordinate*>(plain_allocate(sizeof(Coordinate)));
      *taken = {
          {at % grid.size[0], at / grid.size[0] % grid.size[1], at / grid.size[0] / grid.size[1]}};
      return taken;
    }
  };
  for (size_t i = 0; i < asked.routes; ++i) {
    Route* const route = static_cast<Route*>(plain_allocate(sizeof(Route)));
    route->from = take();
    route->to = take();
    list_insert(plain, routes, route);
  }
  return routes;
}

inline void free_route(Route* route) {
  plain_free(route->from);
  plain_free(route->to);
  plain_free(route);
}

inline void destroy_paths(Vector* paths) {
  Plain plain;
  for (size_t i = 0; i < paths->size; ++i) {
    vector_destroy(plain, static_cast<Vector*>(paths->elements[i]));
  }
  vector_destroy(plain, paths);
}

enum class Quirk : bool { kMended, kKept };

// What one thread searches in.
class Search {
 public:
  Search(const Parameters& asked, const Grid& shared, Quirk quirk)
      : shared_(shared),
        mine_(*grid_create(asked)),
        next_(queue_create(plain_, 2)),
        forgotten_(quirk == Quirk::kKept ? vector_create(plain_, 1) : nullptr) {}
  ~Search() {
    forget();
    if (forgotten_ != nullptr) destroy_paths(forgotten_);
    queue_destroy(plain_, next_);
    grid_destroy(&mine_);
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Cells of the shared grid from the end to the start; null when there is no path. The search
  // keeps it until the next, unless it is taken.
  const Vector* path_of(int64_t from, int64_t to) {
    forget();
    for (size_t i = 0; i < mine_.count; ++i) {
      // Others write meanwhile: a thread that takes a point looks again.
      mine_.points[i] = std::atomic_ref(shared_.points[i]).load(std::memory_order_relaxed);
    }
    if (expand(from, to)) trace_back(from, to);
    return path_;
  }
  Vector* take() { return std::exchange(path_, nullptr); }

  // This confirms a search without a path. The points that were in its way must still be there, and
  // not be of an attempt that wrote in place and may yet abort.
  template <class Tx>
  void confirm(Tx& tx) const {
    for (size_t i = 0; i < mine_.count; ++i) {
      if (mine_.points[i] == kFull && tx.read(shared_.points[i]) != kFull) tx.retry();
    }
  }

 private:
  bool expand(int64_t from, int64_t to) {
    mine_.points[from] = 0;
    mine_.points[to] = kEmpty;
    while (queue_pop(plain_, next_) != nullptr) {
    }
    push(from);
    for (int64_t at; (at = pop()) >= 0;) {
      if (at == to) return true;
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
  void trace_back(int64_t from, int64_t to) {
    path_ = vector_create(plain_, 1);
    size_t ahead = kDirections;
    for (int64_t at = to; at != from;) {
      vector_push(plain_, path_, shared_.points + at);
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
    vector_push(plain_, path_, shared_.points + from);
  }

  void push(int64_t at) {
    queue_push(plain_, next_, reinterpret_cast<void*>(static_cast<uintptr_t>(at) + 1));
  }
  int64_t pop() {
    return static_cast<int64_t>(reinterpret_cast<uintptr_t>(queue_pop(plain_, next_))) - 1;
  }

  // The path of an attempt that aborted.
  void forget() {
    if (path_ == nullptr) return;
    if (forgotten_ == nullptr) {
      vector_destroy(plain_, path_);
    } else {
      vector_push(plain_, forgotten_, path_);
    }
    path_ = nullptr;
  }

  Plain plain_;
  const Grid& shared_;
  Grid& mine_;
  Queue* const next_;
  Vector* path_ = nullptr;
  Vector* const forgotten_;  // paths, or null
};

template <class Tx>
void take_points(Tx& tx, const Vector& path) {
  for (size_t i = 1; i + 1 < path.size; ++i) {
    int64_t& point = *static_cast<int64_t*>(path.elements[i]);
    if (tx.read(point) != kEmpty) tx.retry();
    tx.write(point, kFull);
  }
}

struct Maze {
  Grid* grid;
  Queue* routes;
  List* paths;  // of each thread the vector of its paths
};

// Joins the ends of routes until none is left.
template <class Worker>
void work(Worker& worker, Search& search, Maze& maze) {
  Plain plain;
  Vector* const paths = vector_create(plain, 1);
  for (;;) {
    Route* const route =
        static_cast<Route*>(worker.run([&](auto& tx) { return queue_pop(tx, maze.routes); }));
    if (route == nullptr) break;
    const int64_t from = route->from->in(*maze.grid);
    const int64_t to = route->to->in(*maze.grid);
    worker.run([&](auto& tx) {
      const Vector* const path = search.path_of(from, to);
      if (path == nullptr) return search.confirm(tx);
      take_points(tx, *path);
    });
    if (Vector* const path = search.take()) vector_push(plain, paths, path);
    free_route(route);
  }
  worker.run([&](auto& tx) { list_insert(tx, maze.paths, paths); });
}

// A path that joins the ends of a route which has none so far, and crosses no other.
inline bool lies_right(const Vector& path, const int64_t* shared, Grid& grid,
                       std::map<int64_t, int64_t>* routes) {
  const auto cell = [&](size_t i) { return static_cast<int64_t*>(path.elements[i]) - shared; };
  const auto route = routes->find(cell(path.size - 1));
  if (route == routes->end() || route->second != cell(0)) return false;
  routes->erase(route);
  for (size_t i = 1; i < path.size; ++i) {
    bool beside = false;
    for (size_t direction = 0; direction < kDirections; ++direction) {
      beside = beside || grid.neighbour(cell(i - 1), direction) == cell(i);
    }
    if (!beside) return false;
    if (i + 1 == path.size) break;
    if (grid.points[cell(i)] != kEmpty) return false;
    grid.points[cell(i)] = kFull;
  }
  return true;
}

// Whether a path through empty points can join the two.
inline bool can_join(const Grid& grid, int64_t from, int64_t to) {
  std::vector<char> seen(grid.count);
  std::vector<int64_t> next{from};
  for (size_t i = 0; i < next.size(); ++i) {
    for (size_t direction = 0; direction < kDirections; ++direction) {
      const int64_t beside = grid.neighbour(next[i], direction);
      if (beside == to) return true;
      if (beside < 0 || grid.points[beside] != kEmpty || seen[static_cast<size_t>(beside)] != 0) {
        continue;
      }
      seen[static_cast<size_t>(beside)] = 1;
      next.push_back(beside);
    }
  }
  return false;
}

// How many paths there are; -1: one of them is wrong, or one more is possible.
inline int64_t check(const Parameters& asked, const Maze& maze) {
  Uncounted uncounted;
  Plain plain;
  Grid* const fresh = grid_create(asked);
  List* const made = make_routes(asked, *fresh);
  std::map<int64_t, int64_t> routes;
  for (const ListNode* node = made->head.next; node != nullptr; node = node->next) {
    Route* const route = static_cast<Route*>(node->data);
    routes[route->from->in(*fresh)] = route->to->in(*fresh);
    free_route(route);
  }
  list_destroy(plain, made);
  int64_t count = 0;
  bool right = true;
  for (const ListNode* node = maze.paths->head.next; node != nullptr; node = node->next) {
    const Vector& some = *static_cast<const Vector*>(node->data);
    for (size_t i = 0; i < some.size; ++i, ++count) {
      const Vector& path = *static_cast<const Vector*>(some.elements[i]);
      right = right && lies_right(path, maze.grid->points, *fresh, &routes);
    }
  }
  right = right && std::equal(fresh->points, fresh->points + fresh->count, maze.grid->points);
  // Points are only ever taken: what the full grid allows was possible when it was given up.
  for (const auto& [from, to] : routes) right = right && !can_join(*fresh, from, to);
  grid_destroy(fresh);
  return right ? count : -1;
}

inline Maze make_maze(const Parameters& asked) {
  Plain plain;
  Maze maze{grid_create(asked), queue_create(plain, asked.routes),
            list_create(plain, compare_addresses)};
  List* const routes = make_routes(asked, *maze.grid);
  while (routes->size > 0) {
    void* const route = routes->head.next->data;
    queue_push(plain, maze.routes, route);
    list_remove(plain, routes, route);
  }
  list_destroy(plain, routes);
  return maze;
}

inline void destroy_maze(const Maze& maze) {
  Plain plain;
  for (const ListNode* node = maze.paths->head.next; node != nullptr; node = node->next) {
    destroy_paths(static_cast<Vector*>(node->data));
  }
  list_destroy(plain, maze.paths);
  while (void* const route = queue_pop(plain, maze.routes)) free_route(static_cast<Route*>(route));
  queue_destroy(plain, maze.routes);
  grid_destroy(maze.grid);
}

template <class World, Quirk kQuirk>
Result run(World& world, Size size) {
  const Parameters asked = parameters_of(size);
  Maze maze = make_maze(asked);
  Stopwatch clock;
  world.parallel([&](auto& worker, unsigned) {
    Search search(asked, *maze.grid, kQuirk);
    world.wait();  // or the first would be done with a small grid before the others begin
    work(worker, search, maze);
  });
  Result result;
  result.seconds = clock.lap();
  const int64_t routed = check(asked, maze);
  result.right = routed >= 0;
  result.numbers = {{"routes", asked.routes},
                    {"routed", routed < 0 ? 0 : static_cast<uint64_t>(routed)}};
  destroy_maze(maze);
  return result;
}

}  // namespace mmt::workloads::stm::labyrinth
