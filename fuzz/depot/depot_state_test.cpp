// Random operations on the depot; what fails is shrunk to a few.
#include "depot/depot_state.h"

#include <ostream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace mmt::fuzz {

void showValue(const Op& op, std::ostream& out) { out << describe(op); }

}  // namespace mmt::fuzz

template <>
struct rc::Arbitrary<mmt::fuzz::Op> {
  static Gen<mmt::fuzz::Op> arbitrary() {
    using mmt::fuzz::Op;
    using mmt::fuzz::OpKind;
    return gen::build<Op>(
        gen::set(&Op::kind, gen::map(gen::inRange(0, static_cast<int>(OpKind::kCount)),
                                     [](int kind) { return static_cast<OpKind>(kind); })),
        // Few classes, so that operations meet.
        gen::set(&Op::which, gen::weightedOneOf<uint32_t>({{3, gen::inRange(0u, 6u)},
                                                           {2, gen::inRange(28u, 34u)},
                                                           {1, gen::inRange(0u, 1000u)}})),
        gen::set(&Op::amount, gen::inRange(0u, 1000000u)));
  }
};

namespace mmt::fuzz {
namespace {

TEST(DepotState, HoldsUnderAnyOperations) {
  EXPECT_TRUE(rc::check("the depot keeps its invariants", [] {
    // Longer than the generator's usual size: states build up.
    const auto ops = *rc::gen::scale(4, rc::gen::arbitrary<std::vector<Op>>());
    DepotState state;
    for (const Op& op : ops) {
      state.apply(op);
      state.check_invariants();
    }
    state.finish();
  }));
}

}  // namespace
}  // namespace mmt::fuzz
