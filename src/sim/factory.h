// Models by their names. Policies are templates over word and node; each file models_*.cpp makes
// those of a family.
#pragma once

#include <memory>

#include "sim/model.h"
#include "sim/spec.h"

namespace mmt::sim {

std::unique_ptr<Model> make_model(const Spec& spec);

inline Shape shape_of(const Spec& spec) { return {spec.header, spec.align, spec.growth}; }

}  // namespace mmt::sim
