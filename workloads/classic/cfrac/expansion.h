// The continued fraction of the square root of d = k n, a term at a time. A term i >= 1 is A mod n,
// Q and its index i. A_{i-1}^2 = (-1)^i Q_i modulo n holds. Q stays below 2 sqrt(d), which is
// what makes it likely to fall into small primes.
#pragma once

#include <cstdint>

#include "cfrac/integer.h"

namespace mmt::workloads::classic::cfrac {

class Expansion {
 public:
  // d must not be a square.
  Expansion(const Integer& d, const Integer& n);

  // Steps to the next term; false when it ends the period (Q = 1): what follows repeats.
  bool step();

  const Integer& a() const { return a_; }
  const Integer& q() const { return q_; }
  // Whether the term's sign is -1.
  bool is_negative() const { return negative_; }

 private:
  Integer n_;
  Integer root_;      // The root of d, rounded down.
  Integer quotient_;  // The term of the fraction that belongs to q_.
  Integer p_;
  Integer q_before_;
  Integer q_;
  Integer a_before_;
  Integer a_;
  Integer a_next_;
  bool negative_ = false;
};

}  // namespace mmt::workloads::classic::cfrac
