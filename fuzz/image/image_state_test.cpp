// Random operations on the reader of ELF images; what fails is shrunk to a few.
#include "image/image_state.h"

#include <ostream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace mmt::fuzz {

void showValue(const ImageOp& op, std::ostream& out) { out << describe(op); }

}  // namespace mmt::fuzz

template <>
struct rc::Arbitrary<mmt::fuzz::ImageOp> {
  static Gen<mmt::fuzz::ImageOp> arbitrary() {
    using mmt::fuzz::ImageOp;
    using mmt::fuzz::ImageOpKind;
    return gen::build<ImageOp>(
        gen::set(&ImageOp::kind, gen::map(gen::inRange(0, static_cast<int>(ImageOpKind::kCount)),
                                          [](int kind) { return static_cast<ImageOpKind>(kind); })),
        gen::set(&ImageOp::which, gen::inRange(0u, 10000u)),
        gen::set(&ImageOp::amount, gen::inRange(0u, 1000000u)));
  }
};

namespace mmt::fuzz {
namespace {

TEST(ImageState, HoldsUnderAnyOperations) {
  EXPECT_TRUE(rc::check("nothing is believed that cannot be", [] {
    const auto ops = *rc::gen::scale(2, rc::gen::arbitrary<std::vector<ImageOp>>());
    ImageState state;
    for (const ImageOp& op : ops) {
      state.apply(op);
      state.check_invariants();
    }
    state.finish();
  }));
}

}  // namespace
}  // namespace mmt::fuzz
