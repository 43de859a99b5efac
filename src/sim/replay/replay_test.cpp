// What is counted, by hand, over doubles of policies.
#include "sim/replay/replay.h"

#include <gtest/gtest.h>

#include "sim/models/bump.h"
#include "sim/models/policy_model.h"
#include "sim/replay/toy_for_tests.h"
#include "sim/replay/traces_for_tests.h"

namespace mmt::sim {
namespace {

constexpr Shape kShape{layers::fit::Header::kWord, 16, 8192};

Metrics replay(Model& model, const TraceText& trace) {
  Replay replay(model);
  replay.run(rows_of(trace.events()));
  return replay.metrics();
}

TEST(Replay, SearchesAndJoins) {
  const auto model = toy();
  TraceText trace;
  // Three chunks of 112 bytes; the middle one has free neighbours when it goes.
  trace.born(100).born(100).born(100).born(50).died(1).died(3).died(2).born(300);
  const Metrics metrics = replay(*model, trace);
  EXPECT_EQ(metrics.events, 8U);
  EXPECT_EQ(metrics.allocations, 5U);
  EXPECT_EQ(metrics.frees, 3U);
  EXPECT_EQ(metrics.allocation.nodes.count, 5U);
  EXPECT_EQ(metrics.allocation.nodes.sum, 5U);  // the first chunk is large enough each time
  EXPECT_EQ(metrics.chunks_freed, 3U);
  EXPECT_EQ(metrics.chunks_joined, 1U);
  EXPECT_EQ(metrics.neighbours, 2U);
  EXPECT_EQ(metrics.free_chunks.max, 3U);
  EXPECT_EQ(metrics.growths, 1U);
  EXPECT_EQ(metrics.end.max, 8192U);
  EXPECT_EQ(metrics.live.max, 350U);
  EXPECT_EQ(metrics.live.max_event, 3U);
  EXPECT_EQ(metrics.live.sum, 100U + 200 + 300 + 350 + 250 + 150 + 50 + 350);
}

TEST(Replay, WasteByItsReasons) {
  const auto model = toy();
  TraceText trace;
  trace.born(3).born(100);
  const Metrics metrics = replay(*model, trace);
  EXPECT_EQ(metrics.waste.header, 16U);
  EXPECT_EQ(metrics.waste.minimum, 32U - 8 - 3);
  EXPECT_EQ(metrics.waste.rounding, 112U - 8 - 100);
  EXPECT_EQ(metrics.live_waste.max, metrics.waste.total());
}

TEST(Replay, ResizesStayWhereTheyFit) {
  const auto model = toy();
  TraceText trace;
  trace.born(100).resized(1, 104).resized(1, 105).resized(1, 20);
  const Metrics metrics = replay(*model, trace);
  EXPECT_EQ(metrics.resizes, 3U);
  EXPECT_EQ(metrics.moved, 1U);
  EXPECT_EQ(metrics.allocation.nodes.count, 2U);
  EXPECT_EQ(metrics.freeing.nodes.count, 1U);
  EXPECT_EQ(metrics.live.sum, 100U + 104 + 105 + 20);
}

TEST(Replay, AlignedObjectsLieAligned) {
  class Aligned final : public Observer {
   public:
    void allocated(uint64_t, Row, const Placed& placed) override {
      EXPECT_EQ(placed.at % 256, 0U);
      EXPECT_GE(placed.base + placed.asked, placed.at + placed.bytes);
      ++seen;
    }
    void freed(uint64_t, Row, const Placed&) override {}
    void resized(uint64_t, Row, const Placed&, const Placed&) override {}
    int seen = 0;
  } observer;
  const auto model = toy();
  Replay replay(*model);
  replay.add_observer(&observer);
  TraceText trace;
  trace.born(10, 8).born(700, 8).died(1).born(1, 8);
  replay.run(rows_of(trace.events()));
  EXPECT_EQ(observer.seen, 3);
  EXPECT_EQ(model->free_chunks() != 0, true);
}

TEST(Replay, FourFiguresOfFragmentation) {
  const auto model = toy();
  TraceText trace;
  trace.born(1000).born(7000).died(2).born(3000);  // the second growth comes with the second block
  const Metrics metrics = replay(*model, trace);
  EXPECT_EQ(metrics.fragmentation.end_at_most_live, metrics.end.max);
  EXPECT_EQ(metrics.end.max, 8192U);
  EXPECT_EQ(metrics.fragmentation.live_at_most_end, 1000U);
  EXPECT_EQ(metrics.fragmentation.average_count, 4U);
  EXPECT_DOUBLE_EQ(metrics.fragmentation.average_sum,
                   8192. / 1000 + 8192. / 8000 + 8192. / 1000 + 8192. / 4000);
}

TEST(Replay, WithoutMemoryNothingIsCountedAsLive) {
  const auto model = toy();
  TraceText trace;
  trace.born(uint64_t{1} << 62).resized(1, 10).died(1);
  const Metrics metrics = replay(*model, trace);
  EXPECT_EQ(metrics.failed, 1U);
  EXPECT_EQ(metrics.live.max, 10U);
  EXPECT_EQ(metrics.frees, 1U);
}

TEST(Replay, BumpTakesAllThatIsAskedFor) {
  const auto model = make_policy_model<Bump<ModelArena<uint64_t>>>(kShape);
  TraceText trace;
  for (uint64_t i = 1; i <= 100; ++i) trace.born(1000).died(i);
  const Metrics metrics = replay(*model, trace);
  EXPECT_EQ(metrics.end.max, mmt::core::align_up(100 * 1008 + 8, 8192));
}

TEST(Replay, TouchesAreOfTheOperation) {
  const auto model = make_policy_model<Bump<ModelArena<uint64_t>>>(kShape);
  Touches touches;
  Replay replay(*model);
  replay.count_touches(&touches);
  TraceText trace;
  trace.born(100).born(100).died(1);
  replay.run(rows_of(trace.events()));
  EXPECT_EQ(touches.lines().count, 3U);
  EXPECT_EQ(touches.lines().max, 1U);  // its header
  EXPECT_EQ(touches.pages().max, 1U);
  EXPECT_EQ(touches.page_misses(), 1U);
}

TEST(Replay, CountsPagesThatWereEverWrittenTo) {
  const auto model = make_policy_model<Bump<ModelArena<uint64_t>>>(kShape);
  Touches touches(Touches::Kind::kPagesEver);
  Replay replay(*model);
  replay.count_touches(&touches);
  TraceText trace;
  trace.born(100);
  replay.run(rows_of(trace.events()));
  EXPECT_EQ(touches.written().bytes(), 4096U);  // of 8192
  TraceText more;
  more.born(5000).died(1).born(100);
  replay.run(rows_of(more.events()));
  EXPECT_EQ(touches.written().bytes(), 2 * 4096U);
  EXPECT_EQ(touches.lines().max, 0U);
}

}  // namespace
}  // namespace mmt::sim
