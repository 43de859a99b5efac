// The Cartesian tree as a model.
#include <mmt/layers/fit/tree/cartesian_tree.h>

#include "sim/models/factory.h"
#include "sim/models/makers.h"
#include "sim/models/policy_model.h"

namespace mmt::sim {
namespace {

template <class Word>
std::unique_ptr<Model> cartesian(const Spec& spec) {
  const layers::fit::CartesianOptions options{spec.fit, spec.coalescing, spec.split};
  return make_policy_model<layers::fit::CartesianTree<ModelArena<Word>>>(shape_of(spec), options);
}

}  // namespace

std::unique_ptr<Model> make_cartesian(const Spec& spec) {
  return spec.word == 32 ? cartesian<uint32_t>(spec) : cartesian<uint64_t>(spec);
}

}  // namespace mmt::sim
