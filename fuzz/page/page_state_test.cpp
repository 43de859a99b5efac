// Random operations on the reader of statistics pages; what fails is shrunk to a few.
#include "page/page_state.h"

#include <ostream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace mmt::fuzz {

void showValue(const PageOp& op, std::ostream& out) { out << describe(op); }

}  // namespace mmt::fuzz

template <>
struct rc::Arbitrary<mmt::fuzz::PageOp> {
  static Gen<mmt::fuzz::PageOp> arbitrary() {
    using mmt::fuzz::PageOp;
    using mmt::fuzz::PageOpKind;
    return gen::build<PageOp>(
        gen::set(&PageOp::kind, gen::map(gen::inRange(0, static_cast<int>(PageOpKind::kCount)),
                                         [](int kind) { return static_cast<PageOpKind>(kind); })),
        gen::set(&PageOp::which, gen::inRange(0u, 10000u)),
        gen::set(&PageOp::amount, gen::inRange(0u, 1000000u)));
  }
};

namespace mmt::fuzz {
namespace {

TEST(PageState, HoldsUnderAnyOperations) {
  EXPECT_TRUE(rc::check("nothing is believed that cannot be", [] {
    const auto ops = *rc::gen::scale(2, rc::gen::arbitrary<std::vector<PageOp>>());
    PageState state;
    for (const PageOp& op : ops) {
      state.apply(op);
      state.check_invariants();
    }
    state.finish();
  }));
}

}  // namespace
}  // namespace mmt::fuzz
