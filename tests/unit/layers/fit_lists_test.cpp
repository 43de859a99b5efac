// Sequential and segregated fit decide as their textbook twin does, at every request, for every
// choice that they offer. All that must hold of their lists holds.
#include <string>

#include <gtest/gtest.h>

#include <mmt/layers/fit/segregated_fit.h>
#include <mmt/layers/fit/sequential_fit.h>

#include "unit/layers/fit_reference.h"
#include "unit/layers/fit_trial.h"

namespace mmt::layers::fit {
namespace {

constexpr size_t kSteps = 3000;

bool are_same(const std::vector<FreeChunk>& a, const std::vector<FreeChunk>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](FreeChunk one, FreeChunk other) {
    return one.at == other.at && one.bytes == other.bytes;
  });
}

template <class Policy>
void expect_as_reference(Policy& policy, const ReferenceRules& rules, uint64_t seed) {
  constexpr size_t kWord = sizeof(typename Policy::Word);
  Reference reference(policy.shape(), kWord, Policy::kLeastChunk, rules);
  FitTrial<Policy> trial(policy, seed);
  for (size_t i = 0; i < kSteps; ++i) {
    const size_t before = trial.live().size();
    const Address at = trial.step();
    if (trial.live().size() > before) {
      ASSERT_EQ(at, reference.allocate(trial.last().asked)) << "at step " << i;
    } else {
      reference.free(at, trial.last().asked);
    }
    if (i % 16 != 0) continue;
    std::vector<FreeChunk> chunks;
    policy.for_each_free([&](FreeChunk one) { chunks.push_back(one); });
    ASSERT_TRUE(are_same(chunks, reference.all())) << "at step " << i;
    ASSERT_STREQ(trial.fault(policy.shape().granule - 1), nullptr) << "at step " << i;
  }
  trial.free_all();
  ASSERT_STREQ(trial.fault(policy.shape().granule - 1), nullptr);
  if (rules.joins) {
    EXPECT_EQ(policy.free_chunks(), 1u);
  }
}

template <class Word>
void sequential(Shape shape, SequentialOptions options, uint64_t seed) {
  SCOPED_TRACE("fit " + std::to_string(static_cast<int>(options.fit)) + " joins " +
               std::to_string(options.coalesces) + " order " +
               std::to_string(static_cast<int>(options.order)) + " split " +
               std::to_string(static_cast<int>(options.split)) + " granule " +
               std::to_string(shape.granule));
  using Policy = SequentialFit<TrialArena<Word>>;
  static_assert(FitPolicy<Policy>);
  Policy policy(shape, options);
  ReferenceRules rules;
  rules.fit = options.fit;
  rules.joins = options.coalesces;
  rules.is_by_address = options.order == ListOrder::kAddress;
  rules.split = options.split;
  expect_as_reference(policy, rules, seed);
}

TEST(SequentialFit, DecidesAsItsTextbookTwin) {
  uint64_t seed = 1;
  for (const Fit fit : {Fit::kFirst, Fit::kBest, Fit::kNext, Fit::kWorst}) {
    for (const bool coalesces : {false, true}) {
      for (const ListOrder order : {ListOrder::kLifo, ListOrder::kAddress}) {
        for (const SplitEnd split : {SplitEnd::kHigh, SplitEnd::kLow}) {
          const SequentialOptions options{fit, coalesces, order, split};
          sequential<uint64_t>(kWordShape, options, ++seed);
          sequential<uint32_t>(kPaperShape, options, ++seed);
        }
      }
    }
  }
}

template <class Word>
void segregated(Shape shape, SegregatedOptions options, uint64_t seed) {
  SCOPED_TRACE("fit " + std::to_string(static_cast<int>(options.fit)) + " joins " +
               std::to_string(options.coalesces) + " classes " +
               std::to_string(static_cast<int>(options.classes)) + " granule " +
               std::to_string(shape.granule));
  using Policy = SegregatedFit<TrialArena<Word>>;
  static_assert(FitPolicy<Policy>);
  Policy policy(shape, options);
  ReferenceRules rules;
  rules.fit = options.fit;
  rules.joins = options.coalesces;
  rules.split = options.split;
  rules.rest_stays = false;
  rules.class_of = [classes = SegregatedClasses(options.classes, shape.granule)](size_t bytes) {
    return classes.of(bytes);
  };
  expect_as_reference(policy, rules, seed);
}

TEST(SegregatedFit, DecidesAsItsTextbookTwin) {
  uint64_t seed = 100;
  for (const Fit fit : {Fit::kFirst, Fit::kBest, Fit::kNext, Fit::kWorst}) {
    for (const bool coalesces : {false, true}) {
      for (const ListClasses classes :
           {ListClasses::kLea, ListClasses::kEight, ListClasses::kNine}) {
        const SplitEnd split = ++seed % 2 == 0 ? SplitEnd::kHigh : SplitEnd::kLow;
        segregated<uint64_t>(kWordShape, {fit, coalesces, classes, split}, ++seed);
        segregated<uint32_t>(kPaperShape, {fit, coalesces, classes, split}, ++seed);
        segregated<uint64_t>(kBareShape, {fit, coalesces, classes, split}, ++seed);
      }
    }
  }
}

TEST(SegregatedClasses, GrowWithSizeAndAreThoseOfLea) {
  const SegregatedClasses lea(ListClasses::kLea, 8);
  EXPECT_EQ(lea.of(504), 63u);
  EXPECT_EQ(lea.of(512), 64u);
  EXPECT_EQ(lea.of(2048), 88u);
  EXPECT_EQ(lea.of(10 << 10), 111u);
  EXPECT_EQ(lea.of(size_t{1} << 40), 126u);
  const SegregatedClasses eight(ListClasses::kEight, 8);
  EXPECT_EQ(eight.of(63), 0u);
  EXPECT_EQ(eight.of(64), 1u);
  EXPECT_EQ(eight.of(448), 7u);
  EXPECT_EQ(eight.of(100000), 7u);
  const SegregatedClasses nine(ListClasses::kNine, 8);
  EXPECT_EQ(nine.of(511), 7u);
  EXPECT_EQ(nine.of(512), 8u);
  for (const ListClasses kind : {ListClasses::kLea, ListClasses::kEight, ListClasses::kNine}) {
    const SegregatedClasses classes(kind, 16);
    for (size_t bytes = 32; bytes < (size_t{1} << 23); bytes += 16) {
      ASSERT_LE(classes.of(bytes - 16), classes.of(bytes)) << bytes;
    }
  }
}

// A free of last in, first out looks at one node, whatever it joins.
struct VisitProbe : NoProbe {
  void visited(size_t n = 1) { visits += n; }
  size_t visits = 0;
};

TEST(SequentialFit, AFreeLooksAtOneNode) {
  for (const bool coalesces : {false, true}) {
    SequentialFit<Arena<uint64_t, TrialSource, VisitProbe>> policy(
        kWordShape, {Fit::kBest, coalesces, ListOrder::kLifo, SplitEnd::kHigh});
    FitTrial<decltype(policy)> trial(policy, 5);
    for (size_t i = 0; i < 2000; ++i) trial.step();
    for (size_t n = trial.live().size(); n-- > 0;) {
      const size_t before = policy.arena().probe().visits;
      trial.free_at(trial.live().size() / 2);
      ASSERT_EQ(policy.arena().probe().visits, before + 1);
    }
  }
}

// Best fit looks at all, but for one of the very size.
TEST(SequentialFit, BestFitLooksAtAllNodes) {
  SequentialFit<Arena<uint64_t, TrialSource, VisitProbe>> policy(kWordShape, {Fit::kBest});
  FitTrial<decltype(policy)> trial(policy, 6);
  for (size_t i = 0; i < 40; ++i) trial.allocate(1000 + 160 * i);
  for (size_t i = 0; i < 20; ++i) trial.free_at(i);
  const size_t chunks = policy.free_chunks();
  const size_t before = policy.arena().probe().visits;
  ASSERT_NE(trial.allocate(48), kNone);
  EXPECT_EQ(policy.arena().probe().visits - before, chunks);
}

}  // namespace
}  // namespace mmt::layers::fit
