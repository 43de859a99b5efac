#include "sim/models/factory.h"

#include "sim/models/makers.h"

namespace mmt::sim {

std::unique_ptr<Model> make_model(const Spec& spec, Searching searching) {
  switch (spec.family) {
    case Family::kSequential:
      return searching == Searching::kByIndex ? make_indexed_sequential(spec)
                                              : make_sequential(spec);
    case Family::kSegregated:
      return make_segregated(spec);
    case Family::kSimpleSegregated:
      return make_simple_segregated(spec);
    case Family::kBuddy:
      return make_buddy(spec);
    case Family::kDoubleBuddy:
      return make_double_buddy(spec);
    case Family::kTlsf:
      return make_tlsf(spec);
    case Family::kCartesian:
      return make_cartesian(spec);
    case Family::kAddressTree:
      return spec.word == 32 ? make_address_tree_32(spec) : make_address_tree_64(spec);
    case Family::kSegregatedTree:
      return spec.word == 32 ? make_segregated_tree_32(spec) : make_segregated_tree_64(spec);
    case Family::kBump:
      return make_bump(spec);
  }
  return nullptr;
}

}  // namespace mmt::sim
