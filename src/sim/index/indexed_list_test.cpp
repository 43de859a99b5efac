// An index finds what a walk finds, and counts the nodes that it looks at.
#include "sim/index/indexed_list.h"

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/models/factory.h"
#include "sim/replay/traces_for_tests.h"

namespace mmt::sim {
namespace {

// All that a model does, event by event.
class Diary final : public Observer {
 public:
  explicit Diary(const Model& model) : model_(model) {}
  void allocated(uint64_t, Row, const Placed& placed) override { add(placed.at); }
  void freed(uint64_t, Row, const Placed& placed) override { add(placed.at); }
  void resized(uint64_t, Row, const Placed&, const Placed& now) override { add(now.at); }

  std::vector<uint64_t> lines;

 private:
  void add(Address at) {
    lines.insert(lines.end(), {at, model_.work().visits, model_.free_chunks(), model_.end()});
  }
  const Model& model_;
};

struct Told {
  std::vector<uint64_t> diary;
  uint64_t visits = 0;
  const char* broken = nullptr;
};

Told tell(const std::string& name, const std::vector<Event>& events, Searching searching) {
  const auto model = make_model(parse_spec(name), searching);
  Replay replay(*model);
  Diary diary(*model);
  replay.add_observer(&diary);
  replay.run(rows_of(events));
  return {diary.lines, replay.metrics().allocation.nodes.sum, model->broken_invariant()};
}

// What it touches, in order; the same place twice on end counts once.
std::vector<uint64_t> touched_by(const std::string& name, const std::vector<Event>& events,
                                 Searching searching) {
  const auto model = make_model(parse_spec(name), searching);
  Replay replay(*model);
  Touches touches;
  touches.keep_path(true);
  replay.count_touches(&touches);
  std::vector<uint64_t> all;
  for (const RowEvent& event : rows_of(events)) {
    replay.run({&event, 1});
    std::ranges::unique_copy(touches.path(), std::back_inserter(all));
  }
  all.insert(all.end(), {touches.line_misses(), touches.page_misses()});
  return all;
}

class Indexed : public testing::TestWithParam<const char*> {};

TEST_P(Indexed, IsAsTheWalk) {
  for (const std::string keys : {"", ":paper", ":split=low", ":align=32,header=none"}) {
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      const std::vector<Event> events = some_trace(8000, seed, seed * seed * 40);
      const std::string name = GetParam() + keys;
      const Told walk = tell(name, events, Searching::kByWalk);
      const Told index = tell(name, events, Searching::kByIndex);
      ASSERT_EQ(index.diary, walk.diary) << name << ", seed " << seed;
      EXPECT_EQ(index.visits, walk.visits);
      EXPECT_EQ(index.broken, nullptr);
      EXPECT_GT(index.visits, events.size() / 2);
    }
  }
}

TEST_P(Indexed, TouchesWhatTheWalkDoes) {
  for (const std::string keys : {"", ":paper", ":split=low"}) {
    const std::vector<Event> events = some_trace(4000, 5, 400);
    const std::string name = GetParam() + keys;
    const auto walk = touched_by(name, events, Searching::kByWalk);
    ASSERT_EQ(touched_by(name, events, Searching::kByIndex), walk) << name;
    EXPECT_GT(walk.size(), 6 * events.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Names, Indexed,
                         testing::Values("sqf-ff", "sqf-bf", "sqf-ffwc", "sqf-bfwc"));

// Against a plain list, front first.
TEST(OrderIndex, FindsTheFirstAndItsRank) {
  std::mt19937_64 random(3);
  OrderIndex index;
  std::vector<std::pair<OrderIndex::Place, uint64_t>> plain;  // the back first
  for (int i = 0; i < 20000; ++i) {
    if (plain.empty() || random() % 100 < 52) {
      if (index.is_full()) {
        size_t at = 0;
        index.renumber([&](OrderIndex::Place from, OrderIndex::Place to) {
          ASSERT_EQ(plain[at].first, from);
          plain[at++].first = to;
        });
        ASSERT_EQ(at, plain.size());
      }
      const uint64_t value = 1 + random() % 1000;
      plain.emplace_back(index.add(value), value);
    } else {
      const size_t at = random() % plain.size();
      if (random() % 3 == 0) {
        plain[at].second = 1 + random() % 1000;
        index.change(plain[at].first, plain[at].second);
      } else {
        index.remove(plain[at].first);
        plain.erase(plain.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
    ASSERT_EQ(index.size(), plain.size());
    const uint64_t least = 1 + random() % 1100;
    size_t rank = 1;
    auto one = plain.rbegin();
    for (; one != plain.rend() && one->second < least; ++one) ++rank;
    const OrderIndex::Place found = index.find(least);
    if (one == plain.rend()) {
      ASSERT_EQ(found, OrderIndex::kNowhere);
    } else {
      ASSERT_EQ(found, one->first);
      ASSERT_EQ(index.rank(found), rank);
    }
  }
}

}  // namespace
}  // namespace mmt::sim
