// The opacity checker finds what is planted in histories written by hand.
#include "unit/stm/history.h"

#include <gtest/gtest.h>

namespace mmt::stm {
namespace {

Attempt attempt(uint64_t began, uint64_t ended, bool committed, std::vector<Access> reads,
                std::vector<Access> writes = {}) {
  return {began, ended, committed, std::move(reads), std::move(writes)};
}

TEST(History, OneAfterTheOther) {
  EXPECT_EQ(
      violation_of({attempt(1, 2, true, {{0, 0}}, {{0, 10}}),
                    attempt(3, 4, true, {{0, 10}}, {{0, 11}}), attempt(5, 6, false, {{0, 11}})}),
      "");
}

TEST(History, AnOldValueWithinItsDuration) {
  EXPECT_EQ(violation_of({attempt(1, 4, true, {{0, 0}, {1, 0}}, {{0, 10}, {1, 11}}),
                          attempt(2, 5, true, {{0, 0}, {1, 0}})}),
            "");
}

TEST(History, AnOldValueTooLate) {
  EXPECT_NE(violation_of({attempt(1, 2, true, {{0, 0}}, {{0, 10}}), attempt(3, 4, true, {{0, 0}})}),
            "");
}

TEST(History, HalfOfAnother) {
  // Aborted or not.
  for (const bool committed : {false, true}) {
    EXPECT_NE(violation_of({attempt(1, 4, true, {{0, 0}, {1, 0}}, {{0, 10}, {1, 11}}),
                            attempt(2, 5, committed, {{0, 0}, {1, 11}})}),
              "");
  }
}

TEST(History, WriteSkew) {
  EXPECT_NE(violation_of({attempt(1, 4, true, {{0, 0}, {1, 0}}, {{0, 10}}),
                          attempt(2, 5, true, {{0, 0}, {1, 0}}, {{1, 11}})}),
            "");
}

TEST(History, ALostUpdate) {
  EXPECT_EQ(violation_of({attempt(1, 4, true, {{0, 0}}, {{0, 10}}),
                          attempt(2, 5, true, {{0, 0}}, {{0, 11}})}),
            "an update was lost");
}

TEST(History, WhatWasAborted) {
  EXPECT_EQ(
      violation_of({attempt(1, 2, false, {{0, 0}}, {{0, 10}}), attempt(3, 4, true, {{0, 10}})}),
      "a value was read that nobody committed");
}

TEST(History, TwoValuesOfOneVariable) {
  EXPECT_EQ(violation_of({attempt(2, 3, true, {{0, 0}}, {{0, 10}}),
                          attempt(1, 4, false, {{0, 0}, {0, 10}})}),
            "an attempt saw two values of a variable");
}

}  // namespace
}  // namespace mmt::stm
