// Every model that has a name, with its variants, is held to its invariants at every event of
// traces that are made by a seed.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <mmt/layers/heap.h>

#include "sim/check/violation.h"
#include "sim/models/factory.h"
#include "sim/models/leaking_model.h"
#include "sim/replay/traces_for_tests.h"

namespace mmt::sim {
namespace {

void check(const std::string& name, const std::vector<Event>& events) {
  const Spec spec = parse_spec(name);
  const auto model = make_model(spec);
  if (const auto found = violation_of(*model, events)) {
    const Events small = shrunk_violation(events, [&] { return make_model(spec); });
    FAIL() << name << ", event " << found->event << ": " << found->what << "\na trace for it:\n"
           << as_rep(small);
  }
  const auto fresh = make_model(spec);
  Replay replay(*fresh);
  replay.run(rows_of(events));
  EXPECT_EQ(replay.metrics().failed, 0U) << name;
  EXPECT_GE(replay.metrics().end.max, replay.metrics().live.max) << name;
}

class EachModel : public testing::TestWithParam<std::string> {};

TEST_P(EachModel, KeepsItsInvariants) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    check(GetParam(), some_trace(1200, seed));
    check(GetParam() + ":paper", some_trace(1200, seed, 200, 90));
  }
  check(GetParam() + ":header=none", some_trace(1200, 7));
  check(GetParam() + ":align=64,growth=4096", some_trace(1200, 8));
  if (GetParam() != "bump") check(GetParam() + ":word=32,align=4", some_trace(1200, 9));
}

// Without its header or with, of whatever family: one chunk that a policy forgets is found.
TEST_P(EachModel, ALostChunkIsFound) {
  for (const char* const keys : {"", ":header=none", ":align=64"}) {
    const Spec spec = parse_spec(GetParam() + keys);
    LeakingModel model(make_model(spec), spec.word / 8);
    const auto found = violation_of(model, some_trace(300, 5));
    ASSERT_TRUE(found) << GetParam() << keys;
    EXPECT_NE(found->what.find("are neither live nor free"), std::string::npos) << found->what;
  }
}

// Neither as a new block nor as more of one; whoever asked keeps what it has.
TEST_P(EachModel, ARequestForTooMuchFails) {
  for (const uint64_t most : {UINT64_MAX, UINT64_MAX - 15, layers::kMaxRequest + 1}) {
    for (const char* const keys : {"", ":header=none"}) {
      const auto model = make_model(parse_spec(GetParam() + keys));
      TraceText trace;
      trace.born(most).born(8).resized(2, most).born(most, 8).resized(3, 8).died(1).died(2);
      ASSERT_FALSE(violation_of(*make_model(parse_spec(GetParam() + keys)), trace.events()));
      Replay replay(*model);
      replay.run(rows_of(trace.events()));
      EXPECT_EQ(replay.metrics().failed, 3U) << GetParam() << keys << ", " << most;
      EXPECT_EQ(replay.metrics().live.max, 16U) << GetParam() << keys << ", " << most;
    }
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const NamedModel& one : known_models()) out.push_back(one.name);
  return out;
}

// Runs each of the trees' many variants once.
TEST(EachTree, KeepsItsInvariants) {
  const std::vector<Event> small = some_trace(500, 11, 80, 200);
  for (const std::string family : {"abt-ffwc", "abt-bfwc", "abt-ff", "sbt-ffwc", "sbt-bf"}) {
    for (const std::string node : {"paper", "compact"}) {
      for (const std::string balance : {"none", "periodic", "scapegoat", "weight", "treap"}) {
        check(family + ":node=" + node + ",balance=" + balance, small);
      }
    }
  }
  for (const std::string classes : {"local", "probe", "tags"}) {
    for (const std::string trees : {"8", "9"}) {
      for (const std::string split : {"high", "low"}) {
        const std::string keys = ":classes=" + classes + ",trees=" + trees + ",split=" + split;
        check("sbt-ffwc" + keys, small);
        check("sbt-bfwc" + keys + ",better=smallest,paper", small);
      }
    }
  }
}

TEST(EachList, KeepsItsInvariants) {
  const std::vector<Event> small = some_trace(800, 12, 80, 300);
  for (const std::string name : {"sqf-ffwc", "sqf-nf", "sqf-bfwc"}) {
    check(name + ":order=address", small);
    check(name + ":order=address,split=low,paper", small);
  }
  for (const std::string lists : {"lea", "8", "9"}) {
    for (const std::string name : {"sgf-bfwc", "sgf-nf", "sgf-nfwc"}) {
      check(name + ":lists=" + lists, small);
    }
  }
  for (const std::string steps : {"1", "2", "4"}) check("sss:steps=" + steps, small);
  for (const std::string fit : {"first", "better", "worst"}) check("cartesian:fit=" + fit, small);
}

INSTANTIATE_TEST_SUITE_P(Names, EachModel, testing::ValuesIn(names()),
                         [](const testing::TestParamInfo<std::string>& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace mmt::sim
