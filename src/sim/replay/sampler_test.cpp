// Curves, the heap map, and where models part.
#include "sim/replay/sampler.h"

#include <gtest/gtest.h>

#include "sim/replay/parting.h"
#include "sim/replay/toy_for_tests.h"
#include "sim/replay/traces_for_tests.h"

namespace mmt::sim {
namespace {

TEST(Sampler, SamplesStayFewAndEquallyFarApart) {
  const auto model = toy();
  Replay replay(*model);
  Sampler sampler(replay, 64, 0);
  replay.add_watcher(&sampler);
  replay.run(rows_of(some_trace(10000, 1)));
  sampler.finish();
  const std::vector<Sample>& samples = sampler.samples();
  EXPECT_LE(samples.size(), 65U);
  EXPECT_GE(samples.size(), 32U);
  EXPECT_EQ(samples.front().event, 0U);
  EXPECT_EQ(samples.back().event, 9999U);
  const uint64_t apart = samples[1].event - samples[0].event;
  for (size_t i = 1; i + 1 < samples.size(); ++i) {
    EXPECT_EQ(samples[i].event - samples[i - 1].event, apart);
  }
}

TEST(Sampler, TheMapHasWhatIsFree) {
  const auto model = toy();
  Replay replay(*model);
  Sampler sampler(replay, 16, 4);
  replay.add_watcher(&sampler);
  TraceText trace;
  trace.born(60000).born(1000).died(1);
  replay.run(rows_of(trace.events()));
  sampler.finish();
  EXPECT_EQ(sampler.row_bytes(), 16384U);
  ASSERT_EQ(sampler.samples().size(), 3U);
  const Sample& full = sampler.samples()[1];
  const Sample& empty = sampler.samples()[2];
  EXPECT_EQ(full.rows.size(), 4U);
  EXPECT_EQ(full.rows[0], 255);
  EXPECT_EQ(empty.rows[1], 0);
  EXPECT_EQ(empty.largest_free, 60016U);
  EXPECT_EQ(empty.live, 1000U);
}

TEST(Partings, TheFirstAddressThatDiffers) {
  const auto one = toy();
  const auto other = toy(Fault::kNone, 32);  // rounds up to more
  const auto same = toy();
  Replay first(*one);
  Replay second(*other);
  Replay third(*same);
  Partings partings({&first, &second, &third});
  TraceText trace;
  trace.born(20).born(20).born(40).born(20);  // 32, 32 and 48 bytes; or 64
  for (Replay* replay : {&first, &second, &third}) replay->run(rows_of(trace.events()));
  partings.compare();
  EXPECT_FALSE(partings.are_all_found());  // the first and the third go together
  ASSERT_EQ(partings.found().size(), 2U);
  const Parting& found = partings.found().front();
  EXPECT_EQ(found.event, 3U);
  EXPECT_EQ(found.at_one, 32U + 32 + 48);
  EXPECT_EQ(found.at_other, 32U + 32 + 64);
}

}  // namespace
}  // namespace mmt::sim
