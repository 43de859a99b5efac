// What replays found, as JSON: docs/simulator.md has each key.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "sim/bounds/bounds.h"
#include "sim/metrics/metrics.h"
#include "sim/metrics/touches.h"
#include "sim/models/model.h"
#include "sim/replay/sampler.h"

namespace mmt::cli {

using Json = nlohmann::ordered_json;

// All figures of one model. `touches`: nullptr where they were not counted.
Json json_of(const sim::Metrics& metrics, const sim::Model& model, const sim::Sampler& sampler,
             const sim::Touches* touches);

// The curves as columns; the heap map with them where it was drawn.
Json json_of_samples(const sim::Sampler& sampler);

Json json_of(const sim::Bounds& bounds);

}  // namespace mmt::cli
