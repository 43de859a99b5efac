// Sequential and segregated fit as models.
#include <mmt/layers/fit/segregated_fit.h>
#include <mmt/layers/fit/sequential_fit.h>

#include "sim/models/factory.h"
#include "sim/models/makers.h"
#include "sim/models/policy_model.h"

namespace mmt::sim {
namespace {

namespace fit = layers::fit;

template <class Word>
std::unique_ptr<Model> sequential(const Spec& spec) {
  const fit::SequentialOptions options{spec.fit, spec.coalescing, spec.order, spec.split};
  return make_policy_model<fit::SequentialFit<ModelArena<Word>>>(shape_of(spec), options);
}

template <class Word>
std::unique_ptr<Model> segregated(const Spec& spec) {
  const fit::SegregatedOptions options{spec.fit, spec.coalescing, spec.lists, spec.split};
  return make_policy_model<fit::SegregatedFit<ModelArena<Word>>>(shape_of(spec), options);
}

}  // namespace

std::unique_ptr<Model> make_sequential(const Spec& spec) {
  return spec.word == 32 ? sequential<uint32_t>(spec) : sequential<uint64_t>(spec);
}

std::unique_ptr<Model> make_segregated(const Spec& spec) {
  return spec.word == 32 ? segregated<uint32_t>(spec) : segregated<uint64_t>(spec);
}

}  // namespace mmt::sim
