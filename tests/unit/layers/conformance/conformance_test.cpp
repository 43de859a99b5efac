// The conformance suite on every composition of compositions.h.
#include <gtest/gtest.h>

#include "unit/layers/conformance/checks.h"
#include "unit/layers/conformance/compositions.h"

// Requests that nobody can meet are part of the suite: null, not an abort.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }

namespace mmt::layers::conformance {
namespace {

class Conformance : public testing::TestWithParam<Composition> {};

TEST_P(Conformance, Holds) {
  const std::string found = run_checks(GetParam());
  EXPECT_TRUE(found.empty()) << found;
}

INSTANTIATE_TEST_SUITE_P(Layers, Conformance, testing::ValuesIn(all_compositions()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmt::layers::conformance
