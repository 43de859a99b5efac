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

TEST(Verdict, NearIsAFifth) {
  EXPECT_FALSE(judge(120, 100, Kind::kNear).fails);
  EXPECT_FALSE(judge(80, 100, Kind::kNear).fails);
  EXPECT_TRUE(judge(121, 100, Kind::kNear).fails);
  EXPECT_TRUE(judge(79, 100, Kind::kNear).fails);
}

TEST(Verdict, KnownDifferencesAreToldAndDoNotFail) {
  const Verdict differs = judge(8, 7, Kind::kKnown);
  EXPECT_TRUE(differs.known);
  EXPECT_FALSE(differs.fails);
  EXPECT_EQ(std::string_view(differs.words), "differs (known)");
  const Verdict same = judge(7, 7, Kind::kKnown);
  EXPECT_FALSE(same.known);
  EXPECT_EQ(std::string_view(same.words), "holds");
}

TEST(Table5, DifferencesAreToldWithTheirAmounts) {
  const Row row{"one", Region::kSeq, {5, 7, 0, 0, 0, 0, 0, 0, 12, 12, 900}, "o........k.", "so"};
  EXPECT_EQ(differences(row, {6, 7, 0, 0, 0, 0, 0, 0, 12, 13, 900}), "");
  EXPECT_EQ(differences(row, {5, 9, 0, 0, 0, 0, 0, 0, 14, 12, 860}),
            " <= 32 +2, mallocs +2, bytes -40");
}

TEST(Table5, EachRowThatIsOnlyComparedSaysWhy) {
  for (const Row& row : kTable5) {
    const bool compared = std::string_view(row.kinds).find('.') != std::string_view::npos;
    EXPECT_EQ(compared, *row.why != '\0') << row.application;
    EXPECT_EQ(std::string_view(row.kinds).size(), kColumns) << row.application;
  }
}

TEST(Table5, ExpectedValuesAreNotFitted) {
  for (const Row& row : kTable5) {
    if (std::string_view(row.application) != "vacation") continue;
    EXPECT_EQ(row.expected[kFrees], 2'677'802u);
    EXPECT_EQ(row.kind_of(kFrees), Kind::kKnown);
  }
}

}  // namespace
}  // namespace mmt::workloads::stm
