// Two-level minimisation, and the proof that a result is right.
#pragma once

#include <cstddef>

#include "espresso/cover.h"

namespace mmt::workloads::classic::espresso {

// What is to be minimised. `on` and `dont_care` may overlap: then the point does not matter.
struct Function {
  explicit Function(const Shape& shape) : on(shape), dont_care(shape), off(shape) {}

  Cover on;
  Cover dont_care;
  Cover off;
};

struct Cost {
  size_t cubes;
  size_t literals;  // Those of inputs, and of outputs that are on.
};

Cost cost_of(const Cover& cover);

// A cover of `on` that is prime and irredundant, modulo `dont_care`. Returns the number of rounds.
size_t minimise(const Function& function, Cover* result);

// Whether `result` covers what `on` has and `dont_care` has not, and nothing outside both: proved
// by tautologies.
bool is_equivalent(const Function& function, const Cover& result);

// Whether no point is in both.
bool are_disjoint(const Cover& a, const Cover& b);

}  // namespace mmt::workloads::classic::espresso
