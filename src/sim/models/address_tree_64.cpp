// The address-ordered binary tree as a model, over words of 64 bits.
#include <mmt/layers/fit/tree/address_tree.h>

#include "sim/models/trees.h"

namespace mmt::sim {

std::unique_ptr<Model> make_address_tree_64(const Spec& spec) {
  return make_tree<layers::fit::AddressTree, ModelArena<uint64_t>>(spec);
}

}  // namespace mmt::sim
