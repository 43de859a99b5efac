// Random operations on the heap; what fails is shrunk to a few.
#include "heap/heap_state.h"

#include <ostream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace mmt::fuzz {

void showValue(const HeapOp& op, std::ostream& out) { out << describe(op); }

}  // namespace mmt::fuzz

template <>
struct rc::Arbitrary<mmt::fuzz::HeapOp> {
  static Gen<mmt::fuzz::HeapOp> arbitrary() {
    using mmt::fuzz::HeapOp;
    using mmt::fuzz::HeapOpKind;
    return gen::build<HeapOp>(
        gen::set(&HeapOp::kind, gen::map(gen::inRange(0, static_cast<int>(HeapOpKind::kCount)),
                                         [](int kind) { return static_cast<HeapOpKind>(kind); })),
        // Few places and sizes, so that operations meet.
        gen::set(&HeapOp::which, gen::weightedOneOf<uint32_t>(
                                     {{3, gen::inRange(0u, 6u)}, {1, gen::inRange(0u, 2000u)}})),
        gen::set(&HeapOp::amount, gen::inRange(0u, 4000000u)));
  }
};

namespace mmt::fuzz {
namespace {

TEST(HeapState, HoldsUnderAnyOperations) {
  EXPECT_TRUE(rc::check("the heap loses and doubles no block", [] {
    // Longer than the generator's usual size: states build up.
    const auto ops = *rc::gen::scale(4, rc::gen::arbitrary<std::vector<HeapOp>>());
    HeapState state;
    for (const HeapOp& op : ops) {
      state.apply(op);
      state.check_invariants();
    }
    state.finish();
  }));
}

}  // namespace
}  // namespace mmt::fuzz
