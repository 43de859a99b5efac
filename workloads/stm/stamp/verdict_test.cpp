// Which counts fail the oracles, and what a known difference is.
#include "stm/stamp/verdict.h"

#include <string_view>

#include <gtest/gtest.h>

namespace mmt::workloads::stm {
namespace {

TEST(Verdict, OracleFailsByOne) {
  EXPECT_FALSE(judge(7, 7, Kind::kOracle).fails);
  EXPECT_TRUE(judge(8, 7, Kind::kOracle).fails);
  EXPECT_TRUE(judge(8, 7, Kind::kFitted).fails);
}

TEST(Verdict, NothingOnBothSidesIsNoOracleThatHolds) {
  for (const Kind kind : {Kind::kOracle, Kind::kFitted}) {
    EXPECT_FALSE(judge(0, 0, kind).fails);
    EXPECT_EQ(std::string_view(judge(0, 0, kind).words).find("holds"), std::string_view::npos);
    EXPECT_TRUE(judge(1, 0, kind).fails);
    EXPECT_TRUE(judge(0, 1, kind).fails);
  }
}

TEST(Verdict, NearIsAFifth) {
  EXPECT_FALSE(judge(120, 100, Kind::kNear).fails);
  EXPECT_FALSE(judge(80, 100, Kind::kNear).fails);
  EXPECT_TRUE(judge(121, 100, Kind::kNear).fails);
  EXPECT_TRUE(judge(79, 100, Kind::kNear).fails);
}

TEST(Verdict, KnownDifferencesFailLikeOthersAndAreToldApart) {
  const Verdict differs = judge(8, 7, Kind::kKnown, 8);
  EXPECT_TRUE(differs.known);
  EXPECT_TRUE(differs.fails);
  EXPECT_EQ(std::string_view(differs.words), "DIFFERS (known)");
  const Verdict same = judge(7, 7, Kind::kKnown, 8);
  EXPECT_FALSE(same.known);
  EXPECT_FALSE(same.fails);
  EXPECT_EQ(std::string_view(same.words), "holds");
  for (const uint64_t third : {0u, 6u, 9u}) {
    EXPECT_TRUE(judge(third, 7, Kind::kKnown, 8).fails);
    EXPECT_FALSE(judge(third, 7, Kind::kKnown, 8).known);
  }
}

// Even the paper's: then it is to be recorded.
TEST(Verdict, WhatIsRecordedFailsByOne) {
  EXPECT_FALSE(judge(8, 7, Kind::kRecorded, 8).fails);
  EXPECT_TRUE(judge(7, 7, Kind::kRecorded, 8).fails);
  EXPECT_TRUE(judge(9, 7, Kind::kRecorded, 8).fails);
}

TEST(Table5, DifferencesAreToldWithTheirAmounts) {
  const Row row{"one", Region::kSeq, {5, 7, 0, 0, 0, 0, 0, 0, 12, 12, 900}, "o.r......o.", "so"};
  EXPECT_EQ(differences(row, {6, 7, 0, 0, 0, 0, 0, 0, 12, 13, 900}), "");
  EXPECT_EQ(differences(row, {5, 9, 0, 0, 0, 0, 0, 0, 14, 12, 860}),
            " <= 32 +2, mallocs +2, bytes -40");
}

TEST(Table5, EachRowThatIsOnlyComparedSaysWhy) {
  for (const Row& row : kTable5) {
    const bool compared = std::string_view(row.kinds).find_first_of(".r") != std::string_view::npos;
    EXPECT_EQ(compared, *row.why != '\0') << row.application;
    EXPECT_EQ(std::string_view(row.kinds).size(), kColumns) << row.application;
  }
}

// A row that has recorded values has them whole, and beside an oracle they are the oracle's.
TEST(Table5, RecordedValuesAreWhole) {
  for (const Row& row : kTable5) {
    uint64_t mallocs = 0;
    for (size_t bin = 0; bin < kBins; ++bin) mallocs += row.ours[bin];
    EXPECT_EQ(mallocs, row.ours[kMallocs]) << row.application;
    const bool recorded = std::string_view(row.kinds).find('r') != std::string_view::npos;
    for (size_t column = 0; recorded && column < kColumns; ++column) {
      const Kind kind = row.kind_of(column);
      if (kind != Kind::kOracle && kind != Kind::kFitted) continue;
      EXPECT_EQ(row.ours[column], row.expected[column]) << row.application << ' ' << column;
    }
  }
  for (const Number& one : kNumbers) {
    EXPECT_EQ(one.kind == Kind::kKnown, one.ours != 0) << one.key;
  }
}

// Only what the mathematical library decides is neither an oracle nor recorded.
TEST(Table5, OnlyBayesIsNotRecorded) {
  for (const Row& row : kTable5) {
    if (std::string_view(row.kinds).find('.') == std::string_view::npos) continue;
    EXPECT_EQ(std::string_view(row.application), "bayes");
  }
}

TEST(Table5, ExpectedValuesAreNotFitted) {
  for (const Row& row : kTable5) {
    if (std::string_view(row.application) != "vacation") continue;
    EXPECT_EQ(row.expected[kFrees], 2'677'802u);
    EXPECT_EQ(row.kind_of(kFrees), Kind::kOracle);
  }
}

}  // namespace
}  // namespace mmt::workloads::stm
