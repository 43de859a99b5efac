// Functions of the program's own, from a seed.
#pragma once

#include <cstdint>

#include "espresso/minimise.h"

namespace mmt::workloads::classic::espresso {

struct Recipe {
  uint64_t terms;
  uint64_t seed;
  // Of 100 inputs of a term, those that it looks at; of 100 outputs, those that it switches on, and
  // those that it makes a don't-care.
  uint64_t literals;
  uint64_t ones;
  uint64_t dont_cares;
};

// Fills all three sets.
void generate(const Recipe& recipe, Function* function);

}  // namespace mmt::workloads::classic::espresso
