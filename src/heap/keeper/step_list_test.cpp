// Lists of steps: their order, what they tell those that follow, and how long all of them wait.
#include "heap/keeper/step_list.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::heap {
namespace {

struct Diary {
  std::string written;
  bool worked = false;
  std::vector<int64_t> waits = {-1, -1, -1};
  bool works[3] = {};
};

template <int kNumber>
class Step {
 public:
  explicit Step(Diary& diary) : diary_(diary) {}
  bool run(uint64_t now) {
    diary_.written += std::to_string(kNumber) + (diary_.worked ? "w" : "") + std::to_string(now);
    return diary_.works[kNumber];
  }
  int64_t wait(uint64_t) const {
    diary_.written += "?" + std::to_string(kNumber);
    return diary_.waits[kNumber];
  }

 private:
  Diary& diary_;
};

using All = StepList<Step<0>, Step<1>, Step<2>>;
using Some = StepList<Step<2>, Step<0>>;

class StepListTest : public testing::Test {
 protected:
  template <class List>
  int64_t wait(std::vector<int64_t> each) {
    diary.waits = std::move(each);
    return List::wait(steps, 7);
  }

  Diary diary;
  All::Made<Diary> steps{diary};
};

TEST_F(StepListTest, RunsEachInItsOrderAndTellsThoseThatFollow) {
  diary.works[1] = true;
  EXPECT_TRUE(All::run(steps, 5, diary.worked));
  EXPECT_EQ(diary.written, "05152w5");
}

TEST_F(StepListTest, NothingIsDoneWhereNoStepWorks) {
  EXPECT_FALSE(All::run(steps, 5, diary.worked));
}

TEST_F(StepListTest, AnotherListRunsTheSameSteps) {
  EXPECT_FALSE(Some::run(steps, 3, diary.worked));
  EXPECT_EQ(diary.written, "2303");
}

TEST_F(StepListTest, TheSoonestCounts) {
  EXPECT_EQ(wait<All>({-1, -1, -1}), -1);
  EXPECT_EQ(wait<All>({-1, 9, 4}), 4);
  EXPECT_EQ(wait<All>({3, -1, 4}), 3);
  EXPECT_EQ(wait<Some>({3, 1, -1}), 3);
}

TEST_F(StepListTest, NobodyElseIsAskedWhereOneHasWork) {
  EXPECT_EQ(wait<All>({0, 9, 4}), 0);
  EXPECT_EQ(diary.written, "?0");
}

static_assert(All::kHas<Step<1>> && !Some::kHas<Step<1>>);
static_assert(sooner(-1, 5) == 5 && sooner(5, -1) == 5 && sooner(2, 5) == 2 && sooner(-1, -1) < 0);

}  // namespace
}  // namespace mmt::heap
