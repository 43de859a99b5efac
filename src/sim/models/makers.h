// The makers of models that factory.h chooses from, each in a file of its family, so that the
// templates are built side by side.
#pragma once

#include <memory>

#include "sim/models/model.h"
#include "sim/spec/spec.h"

namespace mmt::sim {

std::unique_ptr<Model> make_sequential(const Spec& spec);
// It is as make_sequential(), where there is no index for it.
std::unique_ptr<Model> make_indexed_sequential(const Spec& spec);
std::unique_ptr<Model> make_segregated(const Spec& spec);
std::unique_ptr<Model> make_cartesian(const Spec& spec);
// These make models of both nodes and all balances, over words of 32 and of 64 bits.
std::unique_ptr<Model> make_address_tree_32(const Spec& spec);
std::unique_ptr<Model> make_address_tree_64(const Spec& spec);
std::unique_ptr<Model> make_segregated_tree_32(const Spec& spec);
std::unique_ptr<Model> make_segregated_tree_64(const Spec& spec);
std::unique_ptr<Model> make_simple_segregated(const Spec& spec);
std::unique_ptr<Model> make_buddy(const Spec& spec);
std::unique_ptr<Model> make_double_buddy(const Spec& spec);
std::unique_ptr<Model> make_tlsf(const Spec& spec);
std::unique_ptr<Model> make_bump(const Spec& spec);

}  // namespace mmt::sim
