// The DeltaBlue solver keeps a solution up to date while constraints come and go. It makes plans by
// which values are computed again and again. The source is Freeman-Benson, Maloney, Borning: An
// Incremental Constraint Solver, CACM 1990. There is no recursion: constraints may form chains of
// any length.
#pragma once

#include <cstdint>

#include "deltablue/constraint.h"

namespace mmt::workloads::classic::deltablue {

using Plan = List<Constraint>;

void execute(const Plan& plan);

class Planner {
 public:
  // The constraint becomes part of the graph, and is satisfied if weaker ones can give way. False:
  // it is required, and cannot be satisfied or would close a cycle.
  bool add(Constraint* constraint);
  // Others that it kept from being satisfied may be satisfied after it.
  void remove(Constraint* constraint);
  // What to compute, in which order, after an edit's value has changed.
  void extract_plan(Constraint* edit, Plan* plan);

 private:
  // What gave way for it: nullptr, nothing did.
  bool satisfy(Constraint* constraint, uint64_t mark, Constraint** overridden);
  bool resatisfy(Constraint* constraint);
  bool propagate(Constraint* from, uint64_t mark);
  void forget(Variable* out, List<Constraint>* unsatisfied);

  uint64_t mark_ = 0;
};

}  // namespace mmt::workloads::classic::deltablue
