// Frames by themselves: what decodes, and contents that no encoder made.
#include "tracefile/frame.h"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tracefile/events_for_tests.h"

namespace mmt::tracefile {
namespace {

TEST(Frame, ComesBackWithItsSummary) {
  const std::vector<Event> events = some_events(5000, 1, 3);
  FrameEncoder encoder;
  for (const Event& one : events) encoder.add(one, 7);
  const FrameSummary wanted = encoder.summary();
  const std::vector<uint8_t> content = encoder.take();
  EXPECT_TRUE(encoder.is_empty());
  FrameDecoder decoder;
  FrameSummary summary;
  std::vector<Event> decoded;
  ASSERT_EQ(decoder.decode(content, summary, decoded), nullptr);
  EXPECT_EQ(summary, wanted);
  ASSERT_EQ(decoded.size(), events.size());
  for (size_t i = 0; i < events.size(); ++i) ASSERT_TRUE(is_same(decoded[i], events[i])) << i;
}

TEST(Frame, TakesNoMoreThanItsShareOfEvents) {
  FrameEncoder encoder;
  for (const Event& one : some_events(kFrameEvents, 2)) {
    ASSERT_FALSE(encoder.is_full());
    encoder.add(one, 0);
  }
  EXPECT_TRUE(encoder.is_full());
}

// Contents with a right checksum, which a wrong or malicious writer could make.
TEST(Frame, SurvivesAnyContent) {
  FrameEncoder encoder;
  for (const Event& one : some_events(300, 3, 2)) encoder.add(one, 0);
  const std::vector<uint8_t> right = encoder.take();
  std::mt19937_64 random(4);
  FrameDecoder decoder;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<uint8_t> content = right;
    for (uint64_t changes = 1 + random() % 3; changes != 0; --changes) {
      const size_t at = random() % content.size();
      const uint64_t dice = random() % 3;
      if (dice == 0) content[at] = static_cast<uint8_t>(random());
      if (dice == 1) content.erase(content.begin() + static_cast<long>(at));
      if (dice == 2) content.insert(content.begin() + static_cast<long>(at), 1, 0xFF);
    }
    FrameSummary summary;
    std::vector<Event> events;
    if (decoder.decode(content, summary, events) != nullptr) continue;
    for (const Event& one : events) {
      ASSERT_LE(one.object, summary.newest_before + summary.births);
    }
  }
}

}  // namespace
}  // namespace mmt::tracefile
