// Random operations on the slot map; what fails is shrunk to a few.
#include "slot_map/slot_map_state.h"

#include <ostream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace mmt::fuzz {

void showValue(const SlotMapOp& op, std::ostream& out) { out << describe(op); }

}  // namespace mmt::fuzz

template <>
struct rc::Arbitrary<mmt::fuzz::SlotMapOp> {
  static Gen<mmt::fuzz::SlotMapOp> arbitrary() {
    using mmt::fuzz::SlotMapOp;
    using mmt::fuzz::SlotMapOpKind;
    return gen::build<SlotMapOp>(
        gen::set(&SlotMapOp::kind,
                 gen::map(gen::inRange(0, static_cast<int>(SlotMapOpKind::kCount)),
                          [](int kind) { return static_cast<SlotMapOpKind>(kind); })),
        gen::set(&SlotMapOp::which, gen::inRange(0u, 1000u)),
        gen::set(&SlotMapOp::amount, gen::inRange(0u, 1000000u)));
  }
};

namespace mmt::fuzz {
namespace {

TEST(SlotMapState, HoldsUnderAnyOperations) {
  EXPECT_TRUE(rc::check("the slot map does as its model", [] {
    // Longer than the generator's usual size: states build up.
    const auto ops = *rc::gen::scale(4, rc::gen::arbitrary<std::vector<SlotMapOp>>());
    SlotMapState state;
    for (const SlotMapOp& op : ops) {
      state.apply(op);
      state.check_invariants();
    }
    state.finish();
  }));
}

}  // namespace
}  // namespace mmt::fuzz
