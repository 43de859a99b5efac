// The conformance suite on random legal compositions.
#include <gtest/gtest.h>

#include "unit/layers/conformance/checks.h"
#include "unit/layers/random/random_compositions.h"

namespace mmt::layers::conformance {
namespace {

Compositions all_random() {
  Compositions all;
  for (const auto add : {add_random_0, add_random_1, add_random_2, add_random_3, add_random_4,
                         add_random_5, add_random_6, add_random_7}) {
    add(all);
  }
  return all;
}

class RandomComposition : public testing::TestWithParam<Composition> {};

TEST_P(RandomComposition, Holds) {
  const std::string found = run_checks(GetParam());
  EXPECT_TRUE(found.empty()) << found << "of: " << GetParam().type;
}

INSTANTIATE_TEST_SUITE_P(Layers, RandomComposition, testing::ValuesIn(all_random()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmt::layers::conformance
