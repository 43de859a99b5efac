// ABT and SBT of every kind run against a reference that looks at all chunks. Node, balance and
// word are by type, the rest is by options, with headers and without.
#include "unit/layers/fit/tree_fuzz.h"

#include <type_traits>

#include <gtest/gtest.h>

#include <mmt/layers/fit/tree/address_tree.h>
#include <mmt/layers/fit/tree/balance/periodic.h>
#include <mmt/layers/fit/tree/balance/scapegoat.h>
#include <mmt/layers/fit/tree/balance/treap.h>
#include <mmt/layers/fit/tree/balance/weight.h>
#include <mmt/layers/fit/tree/segregated_tree.h>

namespace mmt::layers::fit {
namespace {

template <class WordT, class LayoutT, class BalanceT>
struct Kind {
  using Word = WordT;
  using Layout = LayoutT;
  using Balance = BalanceT;
};

template <class Word, class Layout>
using EachBalance = ::testing::Types<Kind<Word, Layout, NoBalance>, Kind<Word, Layout, Periodic>,
                                     Kind<Word, Layout, Scapegoat>,
                                     Kind<Word, Layout, WeightBalanced>, Kind<Word, Layout, Treap>>;

// Small trees, so that each scheme has something to do.
template <class Balance>
typename Balance::Options options_of(uint64_t seed) {
  if constexpr (std::is_same_v<Balance, Periodic>) {
    return {seed % 3 == 0 ? size_t{0} : size_t{7}, seed % 3 == 1 ? size_t{0} : size_t{1}};
  }
  return {};
}

template <class Kind>
class TreeFuzzTest : public ::testing::Test {
 protected:
  using Word = typename Kind::Word;
  using Layout = typename Kind::Layout;
  using Balance = typename Kind::Balance;

  template <template <class, class, class> class TreePolicy>
  static void fuzz(bool is_segregated, size_t number) {
    using Policy = TreePolicy<TestArena<Word>, Layout, Balance>;
    static_assert(FitPolicy<Policy>);
    uint64_t seed = 0;
    for (const TreeOptions& options : all_options(is_segregated)) {
      ++seed;
      const bool has_header = seed % 3 != 0;
      const Shape shape{has_header ? Header::kWord : Header::kNone,
                        has_header ? size_t{16} : sizeof(Word), 4096};
      const auto trial = [&](const Events& events) {
        Policy policy(shape, options, options_of<Balance>(seed));
        const TreeReference reference(shape, options, is_segregated, sizeof(Word),
                                      Policy::kLeastChunk);
        return TreeFuzz<Policy>(policy, reference).run(events);
      };
      const Events events = random_events(seed, number, static_cast<Order>(seed % 4 % 3));
      ASSERT_EQ(report_of(events, trial), "") << text_of(options);
    }
  }
};

template <class Kind>
class PaperNode64 : public TreeFuzzTest<Kind> {};
template <class Kind>
class PaperNode32 : public TreeFuzzTest<Kind> {};
template <class Kind>
class CompactNode64 : public TreeFuzzTest<Kind> {};
template <class Kind>
class CompactNode32 : public TreeFuzzTest<Kind> {};
using Paper64 = EachBalance<uint64_t, PaperNode>;
using Paper32 = EachBalance<uint32_t, PaperNode>;
using Compact64 = EachBalance<uint64_t, CompactNode>;
using Compact32 = EachBalance<uint32_t, CompactNode>;
TYPED_TEST_SUITE(PaperNode64, Paper64);
TYPED_TEST_SUITE(PaperNode32, Paper32);
TYPED_TEST_SUITE(CompactNode64, Compact64);
TYPED_TEST_SUITE(CompactNode32, Compact32);

constexpr size_t kAbt = 500;
constexpr size_t kSbt = 300;

TYPED_TEST(PaperNode64, AddressTreeDecidesAsTheReference) {
  this->template fuzz<AddressTree>(false, kAbt);
}
TYPED_TEST(PaperNode64, SegregatedTreeDecidesAsTheReference) {
  this->template fuzz<SegregatedTree>(true, kSbt);
}
TYPED_TEST(PaperNode32, AddressTreeDecidesAsTheReference) {
  this->template fuzz<AddressTree>(false, kAbt);
}
TYPED_TEST(PaperNode32, SegregatedTreeDecidesAsTheReference) {
  this->template fuzz<SegregatedTree>(true, kSbt);
}
TYPED_TEST(CompactNode64, AddressTreeDecidesAsTheReference) {
  this->template fuzz<AddressTree>(false, kAbt);
}
TYPED_TEST(CompactNode64, SegregatedTreeDecidesAsTheReference) {
  this->template fuzz<SegregatedTree>(true, kSbt);
}
TYPED_TEST(CompactNode32, AddressTreeDecidesAsTheReference) {
  this->template fuzz<AddressTree>(false, kAbt);
}
TYPED_TEST(CompactNode32, SegregatedTreeDecidesAsTheReference) {
  this->template fuzz<SegregatedTree>(true, kSbt);
}

}  // namespace
}  // namespace mmt::layers::fit
