// Simple segregated storage, buddies and TLSF each keep their own promise about what a request
// gets, and all that must hold of a policy. All take the same decisions over memory that owners
// write and over memory that nobody touches.
#include <bit>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <mmt/layers/fit/buddy.h>
#include <mmt/layers/fit/double_buddy.h>
#include <mmt/layers/fit/segregated_fit.h>
#include <mmt/layers/fit/sequential_fit.h>
#include <mmt/layers/fit/simple_segregated.h>
#include <mmt/layers/fit/tlsf.h>

#include "unit/layers/fit_trial.h"

namespace mmt::layers::fit {
namespace {

using WordArena = TrialArena<uint64_t>;
using HalfArena = TrialArena<uint32_t>;

static_assert(FitPolicy<SimpleSegregated<WordArena>> && FitPolicy<SimpleSegregated<HalfArena>>);
static_assert(FitPolicy<Buddy<WordArena>> && FitPolicy<Buddy<HalfArena>>);
static_assert(FitPolicy<DoubleBuddy<WordArena>> && FitPolicy<DoubleBuddy<HalfArena>>);
static_assert(FitPolicy<Tlsf<WordArena>> && FitPolicy<Tlsf<HalfArena>>);

// `judge(trial, before)` is called after each request: what was free before, in any order.
template <class Policy, class Judge>
void fuzz(Shape shape, uint64_t seed, size_t own, Judge&& judge) {
  SCOPED_TRACE("granule " + std::to_string(shape.granule));
  Policy policy(shape);
  FitTrial<Policy> trial(policy, seed);
  std::vector<FreeChunk> before;
  for (size_t i = 0; i < 6000; ++i) {
    before.clear();
    policy.for_each_free([&](FreeChunk one) { before.push_back(one); });
    const size_t count = trial.live().size();
    trial.step();
    judge(policy, trial, before, trial.live().size() > count);
    if (::testing::Test::HasFatalFailure()) return;
    if (i % 16 != 0) continue;
    ASSERT_STREQ(trial.fault(own), nullptr) << "at step " << i;
  }
  trial.free_all();
  ASSERT_STREQ(trial.fault(own), nullptr);
}

template <class Policy>
void fuzz_tlsf(Shape shape, uint64_t seed) {
  const TlsfClasses classes(shape.granule);
  const auto judge = [&](Policy& policy, auto& trial, const auto& before, bool is_allocation) {
    if (!is_allocation) return;
    const size_t word = sizeof(typename Policy::Word);
    const size_t needed = shape.chunk_bytes(
        trial.last().asked, core::align_up(Policy::kLeastChunk, shape.granule), word);
    const size_t wanted = classes.sufficient(needed);
    // The lowest class that suffices, if there is one that has a chunk.
    size_t lowest = TlsfClasses::kCount;
    for (const FreeChunk one : before) {
      const size_t c = classes.of(one.bytes);
      if (c >= wanted) lowest = std::min(lowest, c);
    }
    if (lowest == TlsfClasses::kCount) return;
    const Address at = trial.last().at - shape.header_bytes(word);
    const auto from = std::find_if(before.begin(), before.end(), [&](FreeChunk one) {
      return one.at <= at && at < one.at + one.bytes;
    });
    ASSERT_NE(from, before.end());
    ASSERT_GE(from->bytes, policy.chunk_bytes(trial.last().at, trial.last().asked));
    ASSERT_EQ(classes.of(from->bytes), lowest);
  };
  fuzz<Policy>(shape, seed, shape.granule - 1, judge);
}

TEST(Tlsf, TakesTheLowestClassThatSuffices) {
  fuzz_tlsf<Tlsf<WordArena>>(kWordShape, 1);
  fuzz_tlsf<Tlsf<WordArena>>(kBareShape, 2);
  fuzz_tlsf<Tlsf<HalfArena>>(kPaperShape, 3);
}

TEST(Tlsf, AnyChunkOfASufficientClassWillDo) {
  for (const size_t granule : std::initializer_list<size_t>{4, 16}) {
    const TlsfClasses classes(granule);
    std::map<size_t, size_t> least;
    for (size_t bytes = granule; bytes < (size_t{1} << 21); bytes += granule) {
      least.emplace(classes.of(bytes), bytes);
      ASSERT_LE(classes.of(bytes), classes.sufficient(bytes));
    }
    for (size_t bytes = granule; bytes < (size_t{1} << 20); bytes += granule) {
      ASSERT_GE(least.at(classes.sufficient(bytes)), bytes);
      // At most a 32nd is lost by it.
      ASSERT_LE(least.at(classes.sufficient(bytes)), bytes + bytes / 32 + granule);
    }
    EXPECT_LT(classes.of(size_t{1} << 46), TlsfClasses::kCount);
  }
}

template <class Policy>
void fuzz_buddies(Shape shape, uint64_t seed, size_t own, size_t unit) {
  const auto judge = [&](Policy& policy, auto& trial, const auto&, bool is_allocation) {
    if (!is_allocation) return;
    const size_t header = shape.header_bytes(sizeof(typename Policy::Word));
    const size_t bytes = policy.chunk_bytes(trial.last().at, trial.last().asked);
    const size_t needed = trial.last().asked + header;
    ASSERT_TRUE(bytes < 2 * needed || bytes <= unit) << bytes << " for " << needed;
    const size_t place = trial.last().at - header - policy.arena().first();
    if (std::has_single_bit(bytes)) {
      ASSERT_EQ(place % bytes, 0u);
    } else {
      ASSERT_EQ(bytes % 3, 0u);
      ASSERT_TRUE(std::has_single_bit(bytes / 3));
    }
  };
  fuzz<Policy>(shape, seed, own, judge);
}

TEST(Buddy, GivesPowersOfTwoAtTheirPlaces) {
  fuzz_buddies<Buddy<WordArena>>(kWordShape, 1, 31, 32);
  fuzz_buddies<Buddy<WordArena>>(kBareShape, 2, 31, 32);
  fuzz_buddies<Buddy<HalfArena>>(kPaperShape, 3, 15, 16);
}

TEST(DoubleBuddy, GivesPowersOfTwoAndThreeTimesThose) {
  fuzz_buddies<DoubleBuddy<WordArena>>(kWordShape, 1, 31, 32);
  fuzz_buddies<DoubleBuddy<WordArena>>(kBareShape, 2, 31, 32);
  fuzz_buddies<DoubleBuddy<HalfArena>>(kPaperShape, 3, 15, 12);
}

// Powers of two lose a quarter of the memory when all sizes are asked for alike. Powers of two and
// three times those, together, lose half of that.
TEST(DoubleBuddy, LosesHalfAsMuchAsBuddyByRounding) {
  const auto lost = [](auto&& policy) {
    size_t asked = 0;
    size_t given = 0;
    for (size_t bytes = 8193; bytes <= 16384; bytes += 64) {
      const Address at = policy.allocate(bytes);
      asked += bytes;
      given += policy.chunk_bytes(at, bytes);
    }
    return static_cast<double>(given - asked) / static_cast<double>(given);
  };
  EXPECT_NEAR(lost(Buddy<WordArena>(kBareShape)), 0.25, 0.01);
  EXPECT_NEAR(lost(DoubleBuddy<WordArena>(kBareShape)), 0.14, 0.01);
}

template <class Policy>
void fuzz_simple(Shape shape, uint64_t seed) {
  std::map<Address, size_t> sizes;                 // of every chunk that there ever was
  std::map<size_t, std::vector<Address>> free_of;  // by size, the last freed last
  const auto judge = [&](Policy& policy, auto& trial, const auto&, bool is_allocation) {
    const Address at = trial.last().at;
    if (!is_allocation) {
      free_of[sizes.at(at)].push_back(at);
      return;
    }
    const size_t bytes = policy.chunk_bytes(at, trial.last().asked);
    ASSERT_EQ(sizes.emplace(at, bytes).first->second, bytes) << "a chunk changed its size";
    auto& waiting = free_of[bytes];
    if (waiting.empty()) return;
    ASSERT_EQ(at, waiting.back()) << "what was freed last is not given first";
    waiting.pop_back();
  };
  // A run may be uncut for each class.
  fuzz<Policy>(shape, seed, size_t{1} << 19, judge);
}

TEST(SimpleSegregated, KeepsEachChunksSize) {
  fuzz_simple<SimpleSegregated<WordArena>>(kWordShape, 1);
  fuzz_simple<SimpleSegregated<WordArena>>(kBareShape, 2);
  fuzz_simple<SimpleSegregated<HalfArena>>(kPaperShape, 3);
}

TEST(SimpleSegregated, HasSoManyClassesADoubling) {
  for (const unsigned steps : {1u, 2u, 4u}) {
    SimpleSegregated<WordArena> policy(kBareShape, {steps});
    size_t last = 0;
    size_t classes = 0;
    for (size_t bytes = 16; bytes <= 65536; bytes += 16) {
      const Address at = policy.allocate(bytes);
      const size_t chunk = policy.chunk_bytes(at, bytes);
      policy.free(at, bytes);
      ASSERT_GE(chunk, bytes);
      ASSERT_GE(chunk, last);
      ASSERT_LE(chunk, 16 + bytes + bytes / steps);
      if (chunk > 4096 && chunk != last) ++classes;
      last = chunk;
    }
    EXPECT_EQ(classes, 4 * steps);  // above 4096, up to 65536
  }
}

template <class Policy, class... Options>
void expect_same_over_a_model(Shape shape, Options... options) {
  Policy real(shape, options...);
  Policy model(shape, options...);
  FitTrial<Policy> over_memory(real, 7);
  FitTrial<Policy> over_model(model, 7, false);
  for (size_t i = 0; i < 20000; ++i) ASSERT_EQ(over_memory.step(), over_model.step()) << i;
}

TEST(FitPolicies, DecideTheSameOverMemoryAndAModel) {
  const SequentialOptions best{Fit::kBest, true, ListOrder::kLifo, SplitEnd::kHigh};
  expect_same_over_a_model<SequentialFit<WordArena>>(kWordShape, best);
  expect_same_over_a_model<SegregatedFit<WordArena>>(kWordShape,
                                                     SegregatedOptions{Fit::kBest, true});
  expect_same_over_a_model<SimpleSegregated<WordArena>>(kWordShape);
  expect_same_over_a_model<Buddy<WordArena>>(kWordShape);
  expect_same_over_a_model<DoubleBuddy<WordArena>>(kWordShape);
  expect_same_over_a_model<Tlsf<WordArena>>(kWordShape);
}

// Memory that ends: kNone, and all is as it was.
template <class Policy, class... Options>
void expect_refusals(Options... options) {
  Policy policy(kWordShape, options...);
  std::vector<Address> all;
  for (Address at = 0; (at = policy.allocate(100000)) != kNone;) all.push_back(at);
  EXPECT_GT(all.size(), 5u);
  EXPECT_EQ(policy.allocate(SIZE_MAX), kNone);
  EXPECT_EQ(policy.allocate(kMaxRequest), kNone);
  EXPECT_EQ(policy.allocate(size_t{1} << 45), kNone);
  ASSERT_STREQ(policy.broken_invariant(), nullptr);
  for (const Address at : all) policy.free(at, 100000);
  ASSERT_STREQ(policy.broken_invariant(), nullptr);
  for (size_t i = 0; i < all.size(); ++i) EXPECT_NE(policy.allocate(100000), kNone);
}

TEST(FitPolicies, RefuseWhereMemoryEnds) {
  using Little = Arena<uint64_t, ReservedHeap<size_t{2} << 20>>;
  expect_refusals<SequentialFit<Little>>();
  expect_refusals<SequentialFit<Little>>(SequentialOptions{Fit::kFirst, true});
  expect_refusals<SegregatedFit<Little>>();
  expect_refusals<SegregatedFit<Little>>(SegregatedOptions{Fit::kBest, true});
  expect_refusals<SimpleSegregated<Little>>();
  expect_refusals<Buddy<Little>>();
  expect_refusals<DoubleBuddy<Little>>();
  expect_refusals<Tlsf<Little>>();
}

}  // namespace
}  // namespace mmt::layers::fit
