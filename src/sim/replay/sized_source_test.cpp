// Events whose sizes are multiplied: their average, and what stays.
#include "sim/replay/sized_source.h"

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::sim {
namespace {

using tracefile::Event;
using tracefile::Kind;

std::vector<Event> sized(std::vector<Event> events, uint64_t mean) {
  SizedSource source(std::make_unique<EventList>(std::move(events)), mean);
  EXPECT_EQ(source.next().size(), source.count());
  source.rewind();
  std::vector<Event> all;
  for (auto part = source.next(); !part.empty(); part = source.next()) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

TEST(SizedSource, TheAverageAllocationIsAsAskedFor) {
  const std::vector<Event> before{{.kind = Kind::kAllocate, .object = 1, .bytes = 100},
                                  {.kind = Kind::kAllocate, .object = 2, .bytes = 300},
                                  {.kind = Kind::kResize, .object = 1, .bytes = 1000},
                                  {.kind = Kind::kFree, .object = 2},
                                  {.kind = Kind::kPhase, .bytes = 7}};
  const std::vector<Event> after = sized(before, 50);
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(after[0].bytes, 25U);
  EXPECT_EQ(after[1].bytes, 75U);
  EXPECT_EQ(after[2].bytes, 250U);
  EXPECT_EQ(after[4].bytes, 7U) << "a phase is a number, no size";
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].kind, before[i].kind);
    EXPECT_EQ(after[i].object, before[i].object);
  }
}

TEST(SizedSource, NoRequestBecomesNone) {
  const auto after = sized({{.kind = Kind::kAllocate, .object = 1, .bytes = 1},
                            {.kind = Kind::kAllocate, .object = 2, .bytes = 9999},
                            {.kind = Kind::kAllocate, .object = 3, .bytes = 0}},
                           2);
  EXPECT_EQ(after[0].bytes, 1U);
  EXPECT_EQ(after[2].bytes, 0U);
}

TEST(SizedSource, OfNoBytesAtAll) {
  EXPECT_TRUE(sized({}, 89).empty());
  EXPECT_EQ(sized({{.kind = Kind::kAllocate, .object = 1, .bytes = 0}}, 89)[0].bytes, 0U);
}

}  // namespace
}  // namespace mmt::sim
