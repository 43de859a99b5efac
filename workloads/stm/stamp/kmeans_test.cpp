// What the check of kmeans says of wrong clusters: the reference shares no code with what it
// checks.
#include "stm/stamp/kmeans.h"

#include <gtest/gtest.h>

namespace mmt::workloads::stm::kmeans {
namespace {

constexpr Parameters kAsked{300, 3, 5, 0.01};

class Kmeans : public testing::Test {
 protected:
  Kmeans() { find({}, 2); }
  ~Kmeans() override {
    free_found(found_);
    free_rows(points_);
  }

  void find(const mmt::stm::Options& options, unsigned threads) {
    if (found_.members != nullptr) free_found(found_);
    StmWorld world(options, threads);
    Clustering<StmWorld> clustering(world, kAsked, points_);
    world.parallel([&](auto& worker, unsigned number) { clustering.work(worker, number); });
    found_ = clustering.found();
  }
  bool holds() const { return Reference(kAsked, points_).is(found_); }

  double** points_ = make_input(kAsked);
  Found found_{};
};

TEST_F(Kmeans, AnyNumberOfThreadsIsRight) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    find({}, threads);
    EXPECT_GT(found_.loops, 1u);
    EXPECT_TRUE(holds());
  }
}

TEST_F(Kmeans, APointOfAnotherCentreIsWrong) {
  found_.members[17] = (found_.members[17] + 1) % kAsked.centres;
  EXPECT_FALSE(holds());
}

TEST_F(Kmeans, ACentreBesideItsPointsIsWrong) {
  found_.centres[4] = std::nextafter(found_.centres[4], 10.0);
  EXPECT_FALSE(holds());
}

TEST_F(Kmeans, ALoopLessIsWrong) {
  --found_.loops;
  EXPECT_FALSE(holds());
}

// As of a search for the farthest centre, or of centres that never move.
TEST_F(Kmeans, WhatIsWrongInEachRunIsWrong) {
  std::fill_n(found_.members, kAsked.points, 0);
  EXPECT_FALSE(holds());
  find({}, 1);
  Random random(7);
  for (size_t c = 0; c < kAsked.centres; ++c) {
    std::copy_n(points_[random.below(kAsked.points)], kAsked.dimensions,
                found_.centres + c * kAsked.dimensions);
  }
  EXPECT_FALSE(holds());
}

// Two heaps of points, found by hand.
TEST(Reference, CentresAreTheMiddleOfTheirPoints) {
  double rows[6][1] = {{0}, {1}, {2}, {100}, {101}, {102}};
  double* points[6];
  for (size_t i = 0; i < 6; ++i) points[i] = rows[i];
  uint64_t low = 0;
  uint64_t members[6];
  double centres[2] = {1, 101};
  // Which centre is which depends on where they begin.
  bool holds = false;
  for (; low < 2 && !holds; ++low) {
    for (size_t i = 0; i < 6; ++i) members[i] = i < 3 ? low : 1 - low;
    centres[low] = 1;
    centres[1 - low] = 101;
    for (size_t loops = 1; loops < 6; ++loops) {
      holds = holds || Reference({6, 1, 2, 0}, points).is({loops, members, centres});
    }
  }
  EXPECT_TRUE(holds);
}

}  // namespace
}  // namespace mmt::workloads::stm::kmeans
