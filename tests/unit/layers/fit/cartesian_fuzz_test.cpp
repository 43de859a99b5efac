// The Cartesian tree against a reference that looks at all chunks. Which of the largest chunks is
// the root depends on the tree's shape, as does what better fit meets.
#include <gtest/gtest.h>

#include <mmt/layers/fit/tree/cartesian_tree.h>

#include "unit/layers/fit/tree_fuzz.h"

namespace mmt::layers::fit {
namespace {

template <class Word>
void fuzz(uint64_t seed, CartesianOptions options) {
  using Policy = CartesianTree<TestArena<Word>>;
  static_assert(FitPolicy<Policy>);
  const bool has_header = seed % 2 != 0;
  const Shape shape{has_header ? Header::kWord : Header::kNone,
                    has_header ? size_t{16} : sizeof(Word), 4096};
  const Fit believed = options.fit == Fit::kWorst ? Fit::kBetter : options.fit;
  const TreeOptions rules{believed, options.coalesces, options.split, Classes::kLocal, 8, false};
  const auto trial = [&](const Events& events) {
    Policy policy(shape, options);
    const TreeReference reference(shape, rules, false, sizeof(Word), Policy::kLeastChunk);
    return TreeFuzz<Policy>(policy, reference).run(events);
  };
  const Events events = random_events(seed, 1500, static_cast<Order>(seed % 4 % 3));
  ASSERT_EQ(report_of(events, trial), "") << text_of(rules);
}

TEST(CartesianTree, DecidesAsTheReference) {
  uint64_t seed = 0;
  for (const Fit fit : {Fit::kFirst, Fit::kBetter, Fit::kWorst}) {
    for (const bool coalesces : {false, true}) {
      for (const SplitEnd split : {SplitEnd::kHigh, SplitEnd::kLow}) {
        for (size_t i = 0; i < 2; ++i) {
          fuzz<uint64_t>(++seed, {fit, coalesces, split});
          fuzz<uint32_t>(++seed, {fit, coalesces, split});
        }
      }
    }
  }
}

}  // namespace
}  // namespace mmt::layers::fit
