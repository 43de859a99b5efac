// Finds a proper factor of a composite number by its continued fraction (Morrison and Brillhart).
#pragma once

#include <cstddef>
#include <cstdint>

#include "cfrac/integer.h"

namespace mmt::workloads::classic::cfrac {

struct Tuning {
  size_t primes = 0;         // In the factor base; 0: chosen by the size of the number.
  uint64_t large_times = 0;  // Large primes go up to this many times the largest of the base.
};

struct Effort {
  uint64_t terms = 0;
  uint64_t relations = 0;
};

// Wants n composite, odd, no perfect power, without factors below 2^16. Adds to `effort`.
Integer split(const Integer& n, const Tuning& tuning, Effort* effort);

}  // namespace mmt::workloads::classic::cfrac
