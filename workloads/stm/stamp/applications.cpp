#include "stm/stamp/applications.h"

#include <array>
#include <iterator>

#include "stm/stamp/bayes.h"
#include "stm/stamp/genome.h"
#include "stm/stamp/intruder.h"
#include "stm/stamp/kmeans.h"
#include "stm/stamp/labyrinth.h"
#include "stm/stamp/ssca2.h"
#include "stm/stamp/vacation.h"
#include "stm/stamp/yada.h"

namespace mmt::workloads::stm {

namespace {

constexpr Application kAll[] = {
    {"bayes", bayes::run<PlainWorld>, bayes::run<StmWorld>},
    {"genome", genome::run<PlainWorld>, genome::run<StmWorld>},
    {"intruder", intruder::run<PlainWorld>, intruder::run<StmWorld>},
    {"kmeans", kmeans::run<PlainWorld>, kmeans::run<StmWorld>},
    {"labyrinth", labyrinth::run<PlainWorld, labyrinth::Quirk::kMended>,
     labyrinth::run<StmWorld, labyrinth::Quirk::kMended>},
    {"labyrinth-quirk", labyrinth::run<PlainWorld, labyrinth::Quirk::kKept>,
     labyrinth::run<StmWorld, labyrinth::Quirk::kKept>},
    {"ssca2", ssca2::run<PlainWorld>, ssca2::run<StmWorld>},
    {"vacation", vacation::run<PlainWorld, vacation::Quirk::kMended>,
     vacation::run<StmWorld, vacation::Quirk::kMended>},
    {"vacation-quirk", vacation::run<PlainWorld, vacation::Quirk::kKept>,
     vacation::run<StmWorld, vacation::Quirk::kKept>},
    {"yada", yada::run<PlainWorld>, yada::run<StmWorld>},
};

constexpr auto kNames = [] {
  std::array<std::string_view, std::size(kAll) + 1> names;
  for (size_t i = 0; i < std::size(kAll); ++i) names[i] = kAll[i].name;
  names.back() = "all";
  return names;
}();

}  // namespace

std::span<const Application> applications() { return kAll; }

std::span<const std::string_view> application_names(bool with_all) {
  return std::span(kNames).first(std::size(kAll) + (with_all ? 1 : 0));
}

const Application* find_application(std::string_view name) {
  for (const Application& one : applications()) {
    if (name == one.name) return &one;
  }
  return nullptr;
}

}  // namespace mmt::workloads::stm
