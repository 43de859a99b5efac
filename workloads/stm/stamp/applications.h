// The applications by name, each for both worlds.
#pragma once

#include <span>
#include <string_view>

#include "stm/common/world.h"
#include "stm/stamp/result.h"

namespace mmt::workloads::stm {

struct Application {
  const char* name;
  Result (*sequential)(PlainWorld& world, Size size);
  Result (*transactional)(StmWorld& world, Size size);
};

std::span<const Application> applications();
// In the same order; with `all` behind them, where that stands for each.
std::span<const std::string_view> application_names(bool with_all);
// Null when there is none of that name.
const Application* find_application(std::string_view name);

}  // namespace mmt::workloads::stm
