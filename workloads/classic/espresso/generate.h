// Functions of the program's own, from a seed.
#pragma once

#include <cstdint>

#include "espresso/minimise.h"

namespace mmt::workloads::classic::espresso {

struct Recipe {
  uint64_t terms;
  uint64_t seed;
  // A term looks at `literals` of 100 inputs. It switches on `ones` of 100 outputs, and makes
  // `dont_cares` of 100 outputs a don't-care.
  uint64_t literals;
  uint64_t ones;
  uint64_t dont_cares;
};

// Fills all three sets.
void generate(const Recipe& recipe, Function* function);

}  // namespace mmt::workloads::classic::espresso
