// The designs of mmt/stm and what they rest on hold in every execution that the memory model
// allows. A design that forgets to validate, or frees without waiting, is found.
#include <cstdio>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "stm/mutants.h"
#include "stm/transactions.h"
#include "stm/waiting.h"

namespace mmt::model {
namespace {

using Weak = ModelWorld<false>;
using Ordered = ModelWorld<true>;

template <class Scenario>
void expect_holds(const char* name) {
  const Result result = explore<Scenario>();
  std::printf("%-28s %10llu executions %10llu given up\n", name,
              static_cast<unsigned long long>(result.executions),
              static_cast<unsigned long long>(result.redundant));
  EXPECT_EQ(result.verdict, Result::Verdict::kHolds)
      << name << ": " << name_of(result.verdict) << ": " << result.message << "\n"
      << result.trace;
}

template <class Scenario>
void expect_found() {
  EXPECT_EQ(explore<Scenario>().verdict, Result::Verdict::kRequirement);
}

template <Design kDesign, bool kDeferred>
struct Choice {
  static constexpr Design kOf = kDesign;
  static constexpr bool kLate = kDeferred;
};

template <class T>
class StmModel : public testing::Test {};

using Choices =
    testing::Types<Choice<Design::kWriteBackEncounter, false>,
                   Choice<Design::kWriteBackEncounter, true>,
                   Choice<Design::kWriteBackCommit, false>, Choice<Design::kWriteBackCommit, true>,
                   Choice<Design::kWriteThrough, false>, Choice<Design::kWriteThrough, true>,
                   Choice<Design::kNorec, false>>;
TYPED_TEST_SUITE(StmModel, Choices);

// A clock that every commit moves needs no order of all accesses.
template <class T>
using WorldOf = std::conditional_t<T::kLate, Ordered, Weak>;
template <class T>
using ForgetfulOf = ModelWorld<T::kLate, stm::Fault::kForgetsToValidate>;
template <class T, stm::Fault kFault = stm::Fault::kNone>
using FastOf = ModelWorld<T::kLate, kFault, true>;

TYPED_TEST(StmModel, Increments) {
  expect_holds<Increments<WorldOf<TypeParam>, TypeParam::kOf, TypeParam::kLate>>("increments");
}
TYPED_TEST(StmModel, Skew) {
  expect_holds<Skew<WorldOf<TypeParam>, TypeParam::kOf, TypeParam::kLate>>("skew");
}
TYPED_TEST(StmModel, Snapshot) {
  constexpr bool kTwice = !TypeParam::kLate;
  expect_holds<Snapshot<WorldOf<TypeParam>, TypeParam::kOf, TypeParam::kLate, false, kTwice>>(
      "snapshot");
  expect_holds<Snapshot<WorldOf<TypeParam>, TypeParam::kOf, TypeParam::kLate, true, kTwice>>(
      "snapshot, read-only");
}
TYPED_TEST(StmModel, CauseAndEffect) {
  if constexpr (!TypeParam::kLate) {
    expect_holds<CauseAndEffect<Weak, TypeParam::kOf, false>>("cause and effect");
  }
}
TYPED_TEST(StmModel, TakenBack) {
  expect_holds<TakenBack<WorldOf<TypeParam>, TypeParam::kOf, TypeParam::kLate>>("taken back");
}
TYPED_TEST(StmModel, Versions) {
  using World = WorldOf<TypeParam>;
  if constexpr (TypeParam::kOf != Design::kNorec) {
    expect_holds<Versions<World, TypeParam::kOf, TypeParam::kLate, 0>>("versions, committed");
  }
  if constexpr (TypeParam::kOf == Design::kWriteThrough) {
    expect_holds<Versions<World, TypeParam::kOf, TypeParam::kLate, 16>>("versions, taken back");
  }
}
TYPED_TEST(StmModel, ForgettingToValidateIsFound) {
  using Forgetful = ForgetfulOf<TypeParam>;
  expect_found<Skew<Forgetful, TypeParam::kOf, TypeParam::kLate>>();
  expect_found<Snapshot<Forgetful, TypeParam::kOf, TypeParam::kLate, false, true>>();
}
TYPED_TEST(StmModel, ForgettingToRaiseIsFound) {
  if constexpr (TypeParam::kLate) {
    using Forgetful = ModelWorld<true, stm::Fault::kExtendsWithoutRaising>;
    const Result result = explore<Increments<Forgetful, TypeParam::kOf, true>>();
    EXPECT_EQ(result.verdict, Result::Verdict::kEndless) << result.message;
  }
}
// NOrec has no fast reads.
TYPED_TEST(StmModel, FastReads) {
  if constexpr (TypeParam::kOf != Design::kNorec) {
    using World = FastOf<TypeParam>;
    constexpr Design kOf = TypeParam::kOf;
    constexpr bool kLate = TypeParam::kLate;
    expect_holds<Increments<World, kOf, kLate>>("increments, fast reads");
    expect_holds<Skew<World, kOf, kLate>>("skew, fast reads");
    expect_holds<Snapshot<World, kOf, kLate, false, !kLate>>("snapshot, fast reads");
    expect_holds<Snapshot<World, kOf, kLate, true, !kLate>>("snapshot, read-only, fast");
    expect_holds<TakenBack<World, kOf, kLate>>("taken back, fast reads");
    // With two commits and one order of all accesses there are too many executions.
    if constexpr (!kLate) expect_holds<ReadAgain<World, kOf, false>>("read again, fast reads");
  }
}
TYPED_TEST(StmModel, AFastReadThatLooksOnceIsFound) {
  if constexpr (TypeParam::kOf != Design::kNorec) {
    using Careless = FastOf<TypeParam, stm::Fault::kLooksOnce>;
    expect_found<Snapshot<Careless, TypeParam::kOf, TypeParam::kLate, true, false>>();
  }
}
TYPED_TEST(StmModel, Reclaim) {
  expect_holds<Reclaim<Ordered, TypeParam::kOf, TypeParam::kLate, Patience::kQuiesce>>("quiesce");
  expect_holds<Reclaim<Ordered, TypeParam::kOf, TypeParam::kLate, Patience::kEpoch>>("epoch");
}
TYPED_TEST(StmModel, ReclaimingAtOnceIsFound) {
  const Result result =
      explore<Reclaim<Ordered, TypeParam::kOf, TypeParam::kLate, Patience::kNone>>();
  EXPECT_EQ(result.verdict, Result::Verdict::kRace);
}
TYPED_TEST(StmModel, Privatize) {
  expect_holds<Privatize<Ordered, TypeParam::kOf, TypeParam::kLate>>("privatize");
}
// What is written through is put back late; what is written back is not, once it is known.
TYPED_TEST(StmModel, UsedByAnother) {
  if constexpr (!TypeParam::kLate) {
    expect_holds<UsedByAnother<Weak, TypeParam::kOf, true>>("used by another");
  }
}
TEST(StmWaiting, UsingWithoutWaitingIsFound) {
  expect_found<UsedByAnother<Weak, Design::kWriteThrough, false>>();
}
// NOrec's clock is its only lock: it rests on the gate, whose accesses need one order. With that
// there are too many executions of two commits before.
TYPED_TEST(StmModel, RollOver) {
  if constexpr (TypeParam::kOf == Design::kNorec) {
    expect_holds<RollOver<Ordered, TypeParam::kOf, false, 1>>("roll-over");
  } else if constexpr (!TypeParam::kLate) {
    expect_holds<RollOver<Weak, TypeParam::kOf, false>>("roll-over");
  }
}

TEST(StmWaiting, ANewClockAmidOthersIsFound) {
  expect_found<RollOver<ClosesUnderOthers, Design::kWriteBackEncounter, false, 1, 1>>();
  expect_found<RollOver<ClosesUnderOthers, Design::kNorec, false, 1, 1>>();
}
TEST(StmWaiting, Gate) {
  expect_holds<Gate<Ordered, 1>>("gate, one runs");
  expect_holds<Gate<Ordered, 2>>("gate, two close");
}
TEST(StmWaiting, MemberHandedOn) { expect_holds<MemberHandedOn<Ordered>>("member handed on"); }

}  // namespace
}  // namespace mmt::model
