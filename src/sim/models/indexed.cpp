// Sequential fit as a model whose searches take no walk: first and best fit, the last freed first.
#include <mmt/layers/fit/sequential_fit.h>

#include "sim/index/indexed_list.h"
#include "sim/models/factory.h"
#include "sim/models/makers.h"
#include "sim/models/policy_model.h"

namespace mmt::sim {
namespace {

template <class Word, bool kBest>
std::unique_ptr<Model> indexed(const Spec& spec) {
  using List = IndexedList<ModelArena<Word>, kBest>;
  const layers::fit::SequentialOptions options{spec.fit, spec.coalescing, spec.order, spec.split};
  return make_policy_model<layers::fit::SequentialFit<ModelArena<Word>, List>>(shape_of(spec),
                                                                               options);
}

template <class Word>
std::unique_ptr<Model> indexed(const Spec& spec) {
  return spec.fit == Fit::kBest ? indexed<Word, true>(spec) : indexed<Word, false>(spec);
}

}  // namespace

std::unique_ptr<Model> make_indexed_sequential(const Spec& spec) {
  const bool has_index = spec.fit == Fit::kFirst || spec.fit == Fit::kBest;
  if (!has_index || spec.order != ListOrder::kLifo) return make_sequential(spec);
  return spec.word == 32 ? indexed<uint32_t>(spec) : indexed<uint64_t>(spec);
}

}  // namespace mmt::sim
