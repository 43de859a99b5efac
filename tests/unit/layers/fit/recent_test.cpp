// The chunks that were freed last, which trees keep beside them, change no address. A policy whose
// probe counts keeps no such chunks, and gives out the same addresses.
#include <string>

#include <gtest/gtest.h>

#include <mmt/layers/fit/tree/address_tree.h>
#include <mmt/layers/fit/tree/recent.h>
#include <mmt/layers/fit/tree/segregated_tree.h>

#include "unit/layers/fit_trial.h"

namespace mmt::layers::fit {
namespace {

struct Counting : NoProbe {};

template <template <class> class Policy>
void expect_same(uint64_t seed, TreeOptions options) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  using Quick = Policy<Arena<uint64_t, TrialSource>>;
  using Plain = Policy<Arena<uint64_t, TrialSource, Counting>>;
  Quick quick(kWordShape, options);
  Plain plain(kWordShape, options);
  FitTrial<Quick> over_quick(quick, seed);
  FitTrial<Plain> over_plain(plain, seed);
  for (int i = 0; i < 12000; ++i) {
    ASSERT_EQ(over_quick.step(), over_plain.step()) << "at step " << i;
    ASSERT_EQ(quick.free_chunks(), plain.free_chunks()) << "at step " << i;
    ASSERT_EQ(quick.free_bytes(), plain.free_bytes()) << "at step " << i;
    if (i % 50 != 0) continue;
    ASSERT_STREQ(over_quick.fault(15), nullptr) << "at step " << i;
  }
  // Most frees come before any search: they wait, and then all go into the trees.
  over_quick.free_all();
  over_plain.free_all();
  ASSERT_STREQ(over_quick.fault(15), nullptr);
  for (int i = 0; i < 3000; ++i) {
    const size_t bytes = over_quick.any_size();
    ASSERT_EQ(over_quick.allocate(bytes), over_plain.allocate(bytes)) << "at step " << i;
  }
  ASSERT_STREQ(over_quick.fault(15), nullptr);
}

template <class ArenaType>
using Segregated = SegregatedTree<ArenaType>;
template <class ArenaType>
using Single = AddressTree<ArenaType>;

TEST(RecentChunks, ChangeNoAddress) {
  for (const SplitEnd split : {SplitEnd::kHigh, SplitEnd::kLow}) {
    for (const size_t trees : {8, 9}) {
      const TreeOptions options{.fit = Fit::kFirst, .split = split, .trees = trees};
      expect_same<Segregated>(1 + trees, options);
      expect_same<Single>(2 + trees, options);
    }
  }
}

TEST(RecentChunks, AreInOrderOfAddress) {
  RecentChunks chunks;
  for (const size_t at : {500, 100, 300, 700}) chunks.insert({at, at});
  EXPECT_EQ(chunks[chunks.find(1)].at, 100u);
  EXPECT_EQ(chunks[chunks.find(200)].at, 300u);
  EXPECT_EQ(chunks.find(701), chunks.count());
  EXPECT_EQ(chunks.take_highest().at, 700u);
  chunks.remove(chunks.find(1));
  EXPECT_EQ(chunks[chunks.find(1)].at, 300u);
  EXPECT_EQ(chunks.count(), 2u);
}

}  // namespace
}  // namespace mmt::layers::fit
