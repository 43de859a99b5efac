// What the check of labyrinth says of wrong grids.
#include "stm/stamp/labyrinth.h"

#include <gtest/gtest.h>

namespace mmt::workloads::stm::labyrinth {
namespace {

constexpr Parameters kAsked{{16, 16, 2}, 24};

class Labyrinth : public testing::Test {
 protected:
  ~Labyrinth() override { destroy_maze(maze_); }

  void route_all() {
    PlainWorld world;
    world.parallel([&](auto& worker, unsigned) {
      Search search(kAsked, *maze_.grid, Quirk::kMended);
      work(worker, search, maze_);
    });
  }
  Vector& paths() { return *static_cast<Vector*>(maze_.paths->head.next->data); }
  int64_t checked() const { return check(kAsked, maze_); }

  // As if the last route had been given up.
  void drop_last_path() {
    Plain plain;
    Vector* const path = static_cast<Vector*>(paths().elements[--paths().size]);
    for (size_t i = 1; i + 1 < path->size; ++i) {
      *static_cast<int64_t*>(path->elements[i]) = kEmpty;
    }
    vector_destroy(plain, path);
  }

  Maze maze_ = make_maze(kAsked);
};

TEST_F(Labyrinth, AllThatArePossibleAreRight) {
  route_all();
  EXPECT_GT(checked(), 0);
  EXPECT_LT(checked(), 24) << "one is to be impossible";
}

TEST_F(Labyrinth, NoPathsAtAllAreWrong) { EXPECT_EQ(checked(), -1); }

TEST_F(Labyrinth, OnePathLessIsWrong) {
  route_all();
  drop_last_path();
  EXPECT_EQ(checked(), -1);
}

TEST_F(Labyrinth, PathsThatTookNoPointsAreWrong) {
  route_all();
  const Vector& path = *static_cast<const Vector*>(paths().elements[paths().size - 1]);
  ASSERT_GT(path.size, 2u);
  *static_cast<int64_t*>(path.elements[1]) = kEmpty;
  EXPECT_EQ(checked(), -1);
}

TEST_F(Labyrinth, TheSamePathTwiceIsWrong) {
  route_all();
  Plain plain;
  const Vector& path = *static_cast<const Vector*>(paths().elements[0]);
  Vector* const copy = vector_create(plain, 1);
  for (size_t i = 0; i < path.size; ++i) vector_push(plain, copy, path.elements[i]);
  vector_push(plain, &paths(), copy);
  EXPECT_EQ(checked(), -1);
}

TEST(Grid, EndsAreJoinedThroughEmptyPointsOnly) {
  Grid* const grid = grid_create({{3, 3, 1}, 0});
  grid->points[0] = grid->points[8] = kFull;
  EXPECT_TRUE(can_join(*grid, 0, 8));
  for (const int64_t wall : {2, 4, 6}) grid->points[wall] = kFull;
  EXPECT_FALSE(can_join(*grid, 0, 8));
  EXPECT_TRUE(can_join(*grid, 0, 1)) << "neighbours need no points";
  grid_destroy(grid);
}

// Points of an attempt that writes in place and aborts are no obstacles.
TEST(Search, OnlyWhatIsTakenIsConfirmed) {
  Grid* const grid = grid_create({{3, 1, 1}, 0});
  Search search({{3, 1, 1}, 0}, *grid, Quirk::kMended);
  grid->points[1] = kFull;
  ASSERT_EQ(search.path_of(0, 2), nullptr);
  struct Reader {
    int64_t read(const int64_t& at) { return at; }
    void retry() { ++retries; }
    int retries = 0;
  } reader;
  search.confirm(reader);
  EXPECT_EQ(reader.retries, 0);
  grid->points[1] = kEmpty;
  search.confirm(reader);
  EXPECT_EQ(reader.retries, 1);
  grid_destroy(grid);
}

}  // namespace
}  // namespace mmt::workloads::stm::labyrinth
