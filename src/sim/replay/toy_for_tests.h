// The toy policy as a model, for tests.
#pragma once

#include <cstddef>
#include <memory>

#include "sim/models/policy_model.h"
#include "sim/models/toy_policy.h"

namespace mmt::sim {

inline std::unique_ptr<Model> toy(Fault fault = Fault::kNone, size_t granule = 16) {
  const Shape shape{layers::fit::Header::kWord, granule, 8192};
  return make_policy_model<ToyPolicy<ModelArena<uint64_t>>>(shape, fault);
}

}  // namespace mmt::sim
