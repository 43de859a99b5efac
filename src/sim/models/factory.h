// Models by their names. Policies are templates over word and node; each file of this folder makes
// those of a family.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/models/model.h"
#include "sim/spec/spec.h"

namespace mmt::sim {

// How a model finds what its policy would. Lists may be searched by an index, which counts as a
// walk would. Where touches are counted, the index touches what a walk would.
enum class Searching : uint8_t { kByIndex, kByWalk };

// Never nullptr.
std::unique_ptr<Model> make_model(const Spec& spec, Searching searching = Searching::kByIndex);

inline Shape shape_of(const Spec& spec) { return {spec.header, spec.align, spec.growth}; }

}  // namespace mmt::sim
