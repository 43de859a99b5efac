// Larger scenarios, complete too, that take minutes.
#include <string>

#include <gtest/gtest.h>

#include "scenarios/expect_holds.h"
#include "scenarios/suite.h"
#include "stm/waiting.h"

namespace mmt::model {
namespace {

constexpr NamedScenario kSoakScenarios[] = {
    {"sleepy_server_three_items", explore<SleepyServer<ModelSync, 1, 3>>},
    {"fork_sleeping", explore<Fork<ModelSync, true>>},
    {"server_start_sleeping", explore<ServerStart<ModelSync, true>>},
    {"stm_new_clock_amid_others",
     explore<RollOver<ModelWorld<true>, stm::Design::kWriteBackEncounter, false, 1, 1>>},
};

class SoakScenarios : public testing::TestWithParam<NamedScenario> {};

TEST_P(SoakScenarios, Hold) {
  Limits limits;
  limits.executions = 1'000'000'000;
  expect_holds(GetParam(), limits);
}

INSTANTIATE_TEST_SUITE_P(All, SoakScenarios, testing::ValuesIn(kSoakScenarios),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace mmt::model
