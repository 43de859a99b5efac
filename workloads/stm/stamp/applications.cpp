#include "stm/stamp/applications.h"

#include "stm/stamp/bayes.h"
#include "stm/stamp/genome.h"
#include "stm/stamp/intruder.h"
#include "stm/stamp/kmeans.h"
#include "stm/stamp/labyrinth.h"
#include "stm/stamp/ssca2.h"
#include "stm/stamp/vacation.h"
#include "stm/stamp/yada.h"

namespace mmt::workloads::stm {

std::span<const Application> applications() {
  static constexpr Application kAll[] = {
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
  return kAll;
}

const Application* find_application(std::string_view name) {
  for (const Application& one : applications()) {
    if (name == one.name) return &one;
  }
  return nullptr;
}

}  // namespace mmt::workloads::stm
