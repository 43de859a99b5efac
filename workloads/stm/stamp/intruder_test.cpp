// What the check of intruder says of wrong finds.
#include "stm/stamp/intruder.h"

#include <gtest/gtest.h>

namespace mmt::workloads::stm::intruder {
namespace {

constexpr Parameters kAsked{10, 8, 200, 1};

class Intruder : public testing::Test {
 protected:
  Intruder() {
    rb_visit(stream_->attacks->root,
             [&](const RbNode& node) { found_.attacks.push_back(node.key); });
    found_.flows = kAsked.flows;
  }
  ~Intruder() override { free_stream(stream_); }

  bool holds() const { return is_right(*stream_, kAsked.flows, found_); }
  uint64_t harmless() const {
    Plain plain;
    uint64_t flow = 1;
    while (rb_find(plain, stream_->attacks, flow) != nullptr) ++flow;
    return flow;
  }

  Stream* stream_ = make_stream(kAsked);
  Found found_;
};

TEST_F(Intruder, AllAttacksInAnyOrderAreRight) {
  ASSERT_GT(found_.attacks.size(), 2u);
  std::swap(found_.attacks.front(), found_.attacks.back());
  EXPECT_TRUE(holds());
}

TEST_F(Intruder, CallingEveryFlowAnAttackIsWrong) {
  found_.attacks.clear();
  for (uint64_t flow = 1; flow <= kAsked.flows; ++flow) found_.attacks.push_back(flow);
  EXPECT_FALSE(holds());
}

TEST_F(Intruder, OneFalseAlarmIsWrong) {
  found_.attacks.push_back(harmless());
  EXPECT_FALSE(holds());
}

TEST_F(Intruder, AFalseAlarmForAMissedAttackIsWrong) {
  found_.attacks.back() = harmless();
  EXPECT_FALSE(holds());
}

TEST_F(Intruder, OneAttackTwiceForAnotherIsWrong) {
  found_.attacks.back() = found_.attacks.front();
  EXPECT_FALSE(holds());
}

TEST_F(Intruder, AMissedAttackIsWrong) {
  found_.attacks.pop_back();
  EXPECT_FALSE(holds());
}

TEST_F(Intruder, AHarmlessFlowThatIsLostIsWrong) {
  --found_.flows;
  EXPECT_FALSE(holds());
}

// A word of no letters is in each text.
TEST(Detector, WhatIsFoundIsWhatItSays) {
  Detector* const detector = detector_create();
  char attack[] = "xxBECAUSExx";
  char harmless[] = "xxBECAUSxx";
  EXPECT_TRUE(is_attack(*detector, attack));
  EXPECT_FALSE(is_attack(*detector, harmless));
  Plain plain;
  vector_push(plain, detector->words, const_cast<char*>(""));
  EXPECT_TRUE(is_attack(*detector, harmless));
  detector_destroy(detector);
}

}  // namespace
}  // namespace mmt::workloads::stm::intruder
