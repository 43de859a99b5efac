// Pages that are left out tell whether a heap is used as densely as it grows.
#include "beside/use_evidence.h"

#include <gtest/gtest.h>

namespace mmt::beside {
namespace {

constexpr uintptr_t kFar = uintptr_t{1} << 24;
const auto kTouched = [](uintptr_t) { return true; };
const auto kUntouched = [](uintptr_t) { return false; };

class UseEvidenceTest : public testing::Test {
 protected:
  // `count` pages are left out, and the program gets past them.
  template <class IsTouched>
  void pass(int count, IsTouched&& is_touched) {
    for (int i = 0; i < count; ++i) evidence_.watch(at_ += 4096);
    evidence_.look(at_ + kFar, is_touched);
  }
  uintptr_t at_ = kFar;
  UseEvidence evidence_;
};

TEST_F(UseEvidenceTest, NotDenseBeforeItWasSeen) {
  EXPECT_FALSE(evidence_.is_dense());
  pass(7, kTouched);
  EXPECT_FALSE(evidence_.is_dense());
  pass(1, kTouched);
  EXPECT_TRUE(evidence_.is_dense());
}

TEST_F(UseEvidenceTest, SparseSoonDenseAgainLater) {
  pass(100, kTouched);
  pass(2, kUntouched);
  EXPECT_FALSE(evidence_.is_dense());
  pass(100, kTouched);
  EXPECT_TRUE(evidence_.is_dense());
}

TEST_F(UseEvidenceTest, WaitsUntilTheProgramIsWellPast) {
  for (int i = 0; i < 16; ++i) evidence_.watch(kFar);
  evidence_.look(kFar + 4096, kTouched);
  EXPECT_FALSE(evidence_.is_dense());
  evidence_.look(2 * kFar, kTouched);
  EXPECT_TRUE(evidence_.is_dense());
}

TEST_F(UseEvidenceTest, LooksAtEachPageOnce) {
  int looks = 0;
  const auto count = [&](uintptr_t) { return ++looks, true; };
  pass(5, count);
  pass(0, count);
  EXPECT_EQ(looks, 5);
}

TEST_F(UseEvidenceTest, ForgetsPagesNotWhatWasLearnt) {
  pass(16, kTouched);
  for (int i = 0; i < 16; ++i) evidence_.watch(at_);
  evidence_.forget_pages();
  pass(0, kUntouched);
  EXPECT_TRUE(evidence_.is_dense());
}

}  // namespace
}  // namespace mmt::beside
