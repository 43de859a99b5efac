// Each check of the STM's scenarios is needed. There is a fault that the check finds, and that no
// other check of its scenario finds once it is left out.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "stm/mutants.h"
#include "stm/transactions.h"
#include "stm/waiting.h"

namespace mmt::model {
namespace {

using stm::Fault;

constexpr Design kEncounter = Design::kWriteBackEncounter;
constexpr Design kCommit = Design::kWriteBackCommit;
constexpr Design kThrough = Design::kWriteThrough;

template <bool kOrdered, Fault kFault>
using Faulty = ModelWorld<kOrdered, kFault>;

std::set<std::string> needed;  // checks that were shown to be

// In a scenario of `World`, with its fault, `check` fails; without that check it holds.
template <class World, class Scenario>
void expect_only(const char* check, const Weakening& weakening = {}) {
  const Result found = explore<Scenario>({}, weakening);
  EXPECT_EQ(found.verdict, Result::Verdict::kRequirement) << check << ": " << found.message;
  EXPECT_EQ(found.message, check) << found.trace;
  World::left_out = check;
  const Result missed = explore<Scenario>({}, weakening);
  World::left_out = {};
  EXPECT_EQ(missed.verdict, Result::Verdict::kHolds) << check << ": " << missed.message;
  needed.insert(check);
}

std::set<std::string> checks_in_scenarios() {
  std::set<std::string> checks;
  const std::regex check(R"re(World::require\([^;]*?"([^"]+)"\))re");
  for (const auto& entry : std::filesystem::directory_iterator(MMT_STM_SCENARIOS)) {
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator it(text.begin(), text.end(), check), end; it != end; ++it) {
      EXPECT_TRUE(checks.insert((*it)[1]).second) << (*it)[1] << " is there twice";
    }
  }
  return checks;
}

TEST(StmMutants, EachCheckAloneFindsOne) {
  using Weak = ModelWorld<false>;
  using Forgetful = Faulty<false, Fault::kForgetsToValidate>;
  using Locks = Faulty<true, Fault::kLocksWithoutRaising>;
  expect_only<Forgetful, Increments<Forgetful, kEncounter, false>>("no increment is lost");
  expect_only<Forgetful, Skew<Forgetful, kEncounter, false>>(
      "of two that commit, the later saw the earlier");
  expect_only<Forgetful, Snapshot<Forgetful, kEncounter, false, false, false>>(
      "both words are of one instant");
  expect_only<ValidatesReaders, Snapshot<ValidatesReaders, kEncounter, false, false, false>>(
      "what only reads commits");
  expect_only<RefusesWriters, Snapshot<RefusesWriters, kEncounter, false, true, true>>(
      "a lone writer commits");
  expect_only<KeepsIncarnation, TakenBack<KeepsIncarnation, kThrough, false>>(
      "what was taken back is not seen");
  expect_only<RollsBackOnce, TakenBack<RollsBackOnce, kThrough, false>>("it was taken back");
  expect_only<Forgetful, ReadAgain<Forgetful, kEncounter, false>>("a word stays as it was read");
  expect_only<Weak, CauseAndEffect<Weak, Design::kNorec, false>>(
      "the cause is older than the effect", {&stm::kWordLoad, sync::kRelaxed});
  expect_only<Locks, Versions<Locks, kCommit, true, 0>>("each commit has a version of its own");
  expect_only<Repeats, Versions<Repeats, kThrough, true, 16>>("no orec is twice what it was");
  expect_only<WaitsForNobody, Privatize<WaitsForNobody, kEncounter, false>>(
      "nobody writes it any more");
  expect_only<OpensOnce, Gate<OpensOnce, 1>>("it is closed once");
  expect_only<NeverOpens, MemberHandedOn<NeverOpens>>("the gate is open");
  expect_only<Weak, MemberHandedOn<Weak>>("it runs still", {&stm::kMemberTake, sync::kRelaxed});
  expect_only<Forgetful, RollOver<Forgetful, kEncounter, false, 1>>(
      "a new clock loses no increment");
  expect_only<Weak, UsedByAnother<Weak, kThrough, false>>("its user's own");
  EXPECT_EQ(needed, checks_in_scenarios());
}

// The checker itself finds these, without a check of the scenario.
TEST(StmMutants, AClockThatStaysBehindIsWaitedForInVain) {
  using Extends = Faulty<true, Fault::kExtendsWithoutRaising>;
  using Scenario = Increments<Extends, kEncounter, true>;
  EXPECT_EQ(explore<Scenario>().verdict, Result::Verdict::kEndless);
}
TEST(StmMutants, AGateThatLetsTwoInIsARace) {
  using Scenario = Gate<ClosesUnderOthers, 1>;
  EXPECT_EQ(explore<Scenario>().verdict, Result::Verdict::kRace);
}
TEST(StmMutants, FreeingWithoutWaitingIsARace) {
  using Scenario = Reclaim<WaitsForNobody, kEncounter, false, Patience::kQuiesce>;
  EXPECT_EQ(explore<Scenario>().verdict, Result::Verdict::kRace);
}

}  // namespace
}  // namespace mmt::model
