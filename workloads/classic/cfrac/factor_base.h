// The primes into which values of Q are divided: 2 and those modulo which d = k n is a square or 0.
// No other prime divides a Q.
// Early abort: a value that the first primes have not made small enough is given up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/array.h"
#include "cfrac/integer.h"

namespace mmt::workloads::classic::cfrac {

// Indices into the factor base in order, one for each time that the prime divides.
using Factors = Array<uint16_t>;

class FactorBase {
 public:
  // The first `count` such primes, at least 2 and at most kMaxPrimes.
  FactorBase(const Integer& d, size_t count);

  static constexpr size_t kMaxPrimes = 6000;

  size_t size() const { return primes_.size(); }
  uint32_t prime(size_t index) const { return primes_[index].value; }
  uint32_t largest() const { return primes_[size() - 1].value; }

  // Divides the primes out of `value` (not 0), appends them to `factors`, and leaves in `rest` what
  // remains, 1 if nothing does. False for a value given up.
  bool divide_out(const Integer& value, Factors* factors, Integer* rest) const;

 private:
  // For a remainder without a division: `reciprocal` is 2^64 / value, rounded up.
  struct Prime {
    uint32_t value;
    uint32_t radix;  // 2^32 mod value
    uint64_t reciprocal;
  };

  // No prime is above it. d is a square modulo half of the primes, so kMaxPrimes are well below.
  static constexpr uint32_t kLimit = 1 << 18;

  // Those up to `limit`, until there are `count`.
  void add_primes(const Integer& d, size_t count, uint32_t limit);
  static uint32_t remainder(uint32_t number, const Prime& prime);
  static bool divides(const Prime& prime, const Integer& value);

  Array<Prime> primes_;
  size_t abort_after_;
  size_t abort_bits_;
};

}  // namespace mmt::workloads::classic::cfrac
