// The predicates of yada, and what its check says of meshes that are not refined.
#include "stm/stamp/yada.h"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::workloads::stm::yada {
namespace {

class Yada : public testing::Test {
 protected:
  ~Yada() override { empty(input_, elements_of(input_.mesh), done_); }

  void make(double angle) { input_ = make_input({angle, 60}); }
  void refine() {
    PlainWorld world;
    world.parallel([&](auto& worker, unsigned) { work(worker, input_, done_.data()); });
  }
  bool holds() const { return is_right(input_.mesh, elements_of(input_.mesh)); }
  bool holds_with(double degrees) const {
    const Mesh other{input_.mesh.boundary, std::cos(degrees * std::numbers::pi / 180)};
    return is_right(other, elements_of(input_.mesh));
  }

  Input input_;
  std::vector<Work> done_ = std::vector<Work>(1);
};

TEST_F(Yada, ARunIsRight) {
  make(20);
  refine();
  EXPECT_TRUE(holds());
}

TEST_F(Yada, AMeshThatIsNotRefinedIsWrong) {
  make(20);
  EXPECT_FALSE(holds());
}

TEST_F(Yada, AnAngleBelowTheBoundIsWrong) {
  make(20);
  refine();
  EXPECT_FALSE(holds_with(30));
}

// As if nobody had looked at segments: no angle is bad here, and no flag is set.
TEST_F(Yada, SegmentsThatAreEncroachedOnAreWrong) {
  make(0);
  for (Element* element : elements_of(input_.mesh)) element->bad = Bad::kNo;
  EXPECT_FALSE(holds());
}

TEST_F(Yada, AMeshWithoutSharpAnglesAndSegmentsIsRight) {
  make(0);
  refine();
  EXPECT_TRUE(holds());
}

TEST_F(Yada, ANeighbourThatIsForgottenIsWrong) {
  make(20);
  refine();
  Plain plain;
  Element* const one = elements_of(input_.mesh).back();
  ListNode* const node = one->beside->head.next;
  void* const other = node->data;
  list_remove(plain, one->beside, other);
  EXPECT_FALSE(holds());
  list_insert(plain, one->beside, other);
  EXPECT_TRUE(holds());
}

TEST(Plane, ByHand) {
  const Point a{0, 0};
  const Point b{8, 0};
  const Point c{0, 6};
  EXPECT_EQ(cross(a, b, c), 48);
  EXPECT_TRUE(within_circle(a, b, c, {4, 3}));
  EXPECT_TRUE(within_circle(a, b, c, {7, 5}));
  EXPECT_FALSE(within_circle(a, b, c, {8, 6})) << "on it";
  EXPECT_FALSE(within_circle(a, b, c, {9, 6}));
  EXPECT_TRUE(within_diameter(b, c, {1, 1}));
  EXPECT_FALSE(within_diameter(b, c, a)) << "on it";
  EXPECT_FALSE(within_diameter(b, c, {-1, 0}));
  EXPECT_EQ(centre_of(a, b, c), (Point{4, 3}));
}

// A triangle has a sharp angle exactly where another way of measuring finds one.
TEST(Plane, SharpAnglesAreThoseBelowTheBound) {
  Random random(5);
  size_t sharp = 0;
  for (int i = 0; i < 2000; ++i) {
    Point corner[3];
    for (Point& one : corner) {
      const auto x = static_cast<int64_t>(random.below(kSide));
      one = {x, static_cast<int64_t>(random.below(kSide))};
    }
    if (cross(corner[0], corner[1], corner[2]) < 0) std::swap(corner[0], corner[1]);
    const double bound = 20 * std::numbers::pi / 180;
    const bool expected = least_angle(corner) < bound;
    EXPECT_EQ(has_angle_below(corner[0], corner[1], corner[2], std::cos(bound)), expected);
    sharp += expected ? 1 : 0;
  }
  EXPECT_GT(sharp, 100u);
  EXPECT_LT(sharp, 1900u);
}

}  // namespace
}  // namespace mmt::workloads::stm::yada
