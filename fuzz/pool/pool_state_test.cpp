// Random words in pools; what fails is shrunk to a few.
#include "pool/pool_state.h"

#include <ostream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace mmt::fuzz {

void showValue(const PoolOp& op, std::ostream& out) { out << describe(op); }

}  // namespace mmt::fuzz

template <>
struct rc::Arbitrary<mmt::fuzz::PoolOp> {
  static Gen<mmt::fuzz::PoolOp> arbitrary() {
    using mmt::fuzz::PoolOp;
    using mmt::fuzz::PoolOpKind;
    return gen::build<PoolOp>(
        gen::set(&PoolOp::kind, gen::map(gen::inRange(0, static_cast<int>(PoolOpKind::kCount)),
                                         [](int kind) { return static_cast<PoolOpKind>(kind); })),
        gen::set(&PoolOp::which, gen::inRange(0u, 1000u)),
        gen::set(&PoolOp::amount, gen::inRange(0u, 1000000u)));
  }
};

namespace mmt::fuzz {
namespace {

TEST(PoolState, HoldsUnderAnyOperations) {
  EXPECT_TRUE(rc::check("a good program's trace is whole beside hostile ones", [] {
    const auto ops = *rc::gen::arbitrary<std::vector<PoolOp>>();
    PoolState state;
    for (const PoolOp& op : ops) {
      state.apply(op);
      state.check_invariants();
    }
    state.finish();
  }));
}

}  // namespace
}  // namespace mmt::fuzz
