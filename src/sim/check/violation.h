// What a model does wrong with a trace, if anything, and a small trace with which it still does.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sim/check/shrinker.h"
#include "sim/models/model.h"

namespace mmt::sim {

struct Violation {
  uint64_t event;
  std::string what;
};

// Replays the events by a fresh model, which is looked at behind each `every`th. std::nullopt:
// nothing is wrong.
std::optional<Violation> violation_of(Model& model, const Events& events, uint64_t every = 1);

// Events that the models of `make` break with, made small.
Events shrunk_violation(Events events, const std::function<std::unique_ptr<Model>()>& make);

}  // namespace mmt::sim
