// Simple segregated storage, buddies and TLSF as models.
#include <mmt/layers/fit/buddy.h>
#include <mmt/layers/fit/double_buddy.h>
#include <mmt/layers/fit/simple_segregated.h>
#include <mmt/layers/fit/tlsf.h>

#include "sim/models/factory.h"
#include "sim/models/makers.h"
#include "sim/models/policy_model.h"

namespace mmt::sim {
namespace {

template <template <class> class Policy, class... Options>
std::unique_ptr<Model> make(const Spec& spec, Options... options) {
  const Shape shape = shape_of(spec);
  if (spec.word == 32) return make_policy_model<Policy<ModelArena<uint32_t>>>(shape, options...);
  return make_policy_model<Policy<ModelArena<uint64_t>>>(shape, options...);
}

}  // namespace

std::unique_ptr<Model> make_simple_segregated(const Spec& spec) {
  return make<layers::fit::SimpleSegregated>(spec, layers::fit::SimpleOptions{spec.steps});
}

std::unique_ptr<Model> make_buddy(const Spec& spec) { return make<layers::fit::Buddy>(spec); }

std::unique_ptr<Model> make_double_buddy(const Spec& spec) {
  return make<layers::fit::DoubleBuddy>(spec);
}

std::unique_ptr<Model> make_tlsf(const Spec& spec) { return make<layers::fit::Tlsf>(spec); }

}  // namespace mmt::sim
