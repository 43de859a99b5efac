#include "stm/stamp/applications.h"

#include "stm/stamp/genome.h"
#include "stm/stamp/intruder.h"
#include "stm/stamp/vacation.h"

namespace mmt::workloads::stm {

std::span<const Application> applications() {
  static constexpr Application kAll[] = {
      {"genome", genome::run<PlainWorld>, genome::run<StmWorld>},
      {"intruder", intruder::run<PlainWorld>, intruder::run<StmWorld>},
      {"vacation", vacation::run<PlainWorld, false>, vacation::run<StmWorld, false>},
      {"vacation-quirk", vacation::run<PlainWorld, true>, vacation::run<StmWorld, true>},
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
