// Bump as a model.
#include "sim/models/bump.h"

#include "sim/models/factory.h"
#include "sim/models/makers.h"
#include "sim/models/policy_model.h"

namespace mmt::sim {

std::unique_ptr<Model> make_bump(const Spec& spec) {
  if (spec.word == 32) return make_policy_model<Bump<ModelArena<uint32_t>>>(shape_of(spec));
  return make_policy_model<Bump<ModelArena<uint64_t>>>(shape_of(spec));
}

}  // namespace mmt::sim
