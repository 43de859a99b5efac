// The shrinker finds the few requests that matter, and leaves nothing out that does.
#include "unit/layers/fit/events.h"

#include <gtest/gtest.h>

namespace mmt::layers::fit {
namespace {

// Goes wrong when a block of more than 500 bytes is freed after one of fewer than 20 was made.
std::optional<Failure> pretended_fault(const Events& events) {
  std::vector<size_t> sizes(events.size() + 10000);
  bool has_small = false;
  for (size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (!event.is_free) {
      sizes.at(event.id) = event.size;
      has_small |= event.size < 20;
    } else if (has_small && sizes.at(event.id) > 500) {
      return Failure{i, "pretended"};
    }
  }
  return std::nullopt;
}

TEST(Shrink, LeavesOnlyWhatMatters) {
  for (const Order order : {Order::kAny, Order::kOldestFirst, Order::kYoungestFirst}) {
    const Events events = random_events(3, 2000, order);
    ASSERT_TRUE(pretended_fault(events));
    const Events few = shrink(events, pretended_fault);
    EXPECT_EQ(few.size(), 3u);
    EXPECT_TRUE(few.back().is_free);
    EXPECT_EQ(report_of(events, pretended_fault).rfind("pretended after", 0), 0u);
  }
}
TEST(Shrink, SaysNothingWhereNothingGoesWrong) {
  const Events events = random_events(3, 2000, Order::kAny);
  EXPECT_EQ(report_of(events, [](const Events&) { return std::optional<Failure>(); }), "");
}

}  // namespace
}  // namespace mmt::layers::fit
