#include "cfrac/expansion.h"

#include "cfrac/number_theory.h"

namespace mmt::workloads::classic::cfrac {

// Term 0: P = 0, Q = 1, A_{-1} = 1, A_0 = quotient = root. Q_{-1} = d, which makes Q_1 = d -
// root^2.
Expansion::Expansion(const Integer& d, const Integer& n)
    : n_(n), root_(root(d, 2)), quotient_(root_), p_(0), q_before_(d), q_(1), a_(1) {
  a_next_ = root_ % n_;
}

bool Expansion::step() {
  // P_{i+1} = quotient Q_i - P_i;  Q_{i+1} = Q_{i-1} + quotient (P_i - P_{i+1}).
  Integer p = quotient_ * q_ - p_;
  Integer q = p_ < p ? q_before_ - quotient_ * (p - p_) : q_before_ + quotient_ * (p_ - p);
  q_before_ = std::move(q_);
  q_ = std::move(q);
  p_ = std::move(p);
  negative_ = !negative_;
  quotient_ = (root_ + p_) / q_;
  a_before_ = std::move(a_);
  a_ = a_next_;
  a_next_ = (quotient_ * a_ + a_before_) % n_;
  return !q_.is_one();
}

}  // namespace mmt::workloads::classic::cfrac
