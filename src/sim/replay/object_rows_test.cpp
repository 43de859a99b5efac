// Rows against a map of what is live.
#include "sim/replay/object_rows.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "sim/replay/traces_for_tests.h"

namespace mmt::sim {
namespace {

TEST(ObjectRows, LiveObjectsHaveRowsOfTheirOwn) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<Event> events = some_trace(20000, seed, 2000);
    ObjectRows rows;
    std::map<uint64_t, Row> known;
    std::set<Row> used;
    size_t most = 0;
    std::vector<RowEvent> out;
    for (size_t at = 0; at < events.size(); at += 1000) {
      const std::span<const Event> part = std::span(events).subspan(at, 1000);
      rows.translate(part, out);
      ASSERT_EQ(out.size(), part.size());
      for (size_t i = 0; i < part.size(); ++i) {
        if (part[i].kind == Kind::kAllocate) {
          ASSERT_TRUE(used.insert(out[i].row).second);
          known[part[i].object] = out[i].row;
          ASSERT_EQ(out[i].bytes, part[i].bytes);
        } else {
          ASSERT_EQ(out[i].row, known.at(part[i].object));
        }
        if (part[i].kind == Kind::kFree) used.erase(out[i].row);
        most = std::max(most, used.size());
      }
      ASSERT_EQ(rows.live(), used.size());
    }
    EXPECT_EQ(rows.most(), most);
  }
}

TEST(ObjectRows, WhatIsNotLiveBecomesNothing) {
  TraceText trace;
  trace.died(7).resized(8, 10).born(1);
  const std::vector<RowEvent> events = rows_of(trace.events());
  EXPECT_EQ(events[0].op, RowEvent::Op::kNothing);
  EXPECT_EQ(events[1].op, RowEvent::Op::kNothing);
  EXPECT_EQ(events[2].op, RowEvent::Op::kAllocate);
}

}  // namespace
}  // namespace mmt::sim
