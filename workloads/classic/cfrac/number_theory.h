// What factoring needs to know about integers.
#pragma once

#include <cstdint>

#include "base/array.h"
#include "cfrac/integer.h"

namespace mmt::workloads::classic::cfrac {

// The greatest integer whose `degree`-th power is at most n.
Integer root(const Integer& n, uint32_t degree);
Integer power(const Integer& base, uint32_t exponent);
// base^exponent mod modulus.
Integer power_mod(const Integer& base, const Integer& exponent, const Integer& modulus);
Integer greatest_common_divisor(Integer a, Integer b);
// This is Miller-Rabin with the first 24 primes as bases. It is right for every n below 3.3e24.
// Beyond that, no composite is known for which it is wrong, but for those made to deceive it.
bool is_prime(const Integer& n);
// Whether n, not divisible by the odd prime p, is a square modulo p.
bool is_square_modulo(const Integer& n, uint32_t p);
// All primes up to `limit`, in order.
void primes_up_to(uint32_t limit, Array<uint32_t>* primes);

}  // namespace mmt::workloads::classic::cfrac
