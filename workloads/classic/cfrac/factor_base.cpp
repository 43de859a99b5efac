#include "cfrac/factor_base.h"

#include "base/fail.h"
#include "cfrac/number_theory.h"

namespace mmt::workloads::classic::cfrac {

FactorBase::FactorBase(const Integer& d, size_t count) {
  for (uint32_t limit = 256; primes_.size() < count; limit *= 2) {
    check(limit <= kLimit, "there are too few primes for the factor base");
    primes_.shrink(0);
    add_primes(d, count, limit);
  }
  // A value is at most 2 sqrt(d). The smallest fifth of the primes should take an eighth of its
  // bits. Most of the values that fall into small primes pass, few of the others do.
  abort_after_ = count / 5;
  abort_bits_ = d.bits() / 2 * 7 / 8;
}

void FactorBase::add_primes(const Integer& d, size_t count, uint32_t limit) {
  Array<uint32_t> candidates;
  primes_up_to(limit, &candidates);
  for (uint32_t p : candidates) {
    if (primes_.size() == count) return;
    if (p != 2 && d.remainder(p) != 0 && !is_square_modulo(d, p)) continue;
    primes_.add({p, static_cast<uint32_t>((uint64_t{1} << 32) % p), UINT64_MAX / p + 1});
  }
}

// Right for every 32-bit number and divisor (Lemire, Kaser, Kurz: Faster remainder by direct
// computation, 2019).
uint32_t FactorBase::remainder(uint32_t number, const Prime& prime) {
  uint64_t fraction = prime.reciprocal * number;
  return static_cast<uint32_t>((static_cast<unsigned __int128>(fraction) * prime.value) >> 64);
}

bool FactorBase::divides(const Prime& prime, const Integer& value) {
  const uint32_t* digits = value.digits();
  uint64_t rest = 0;
  for (size_t i = value.size(); i-- > 0;) {
    uint64_t sum = rest * prime.radix + remainder(digits[i], prime);
    // Below 2^36, as primes are below 2^18: one more round brings it below 2^32.
    while (sum >> 32 != 0) sum = (sum >> 32) * prime.radix + (sum & UINT32_MAX);
    rest = remainder(static_cast<uint32_t>(sum), prime);
  }
  return rest == 0;
}

bool FactorBase::divide_out(const Integer& value, Factors* factors, Integer* rest) const {
  Integer left = value;
  for (size_t i = 0; i < primes_.size(); ++i) {
    if (i == abort_after_ && left.bits() > abort_bits_) return false;
    while (divides(primes_[i], left)) {
      left = left.divided_by(primes_[i].value);
      factors->add(static_cast<uint16_t>(i));
    }
    if (left.is_one()) break;
  }
  *rest = std::move(left);
  return true;
}

}  // namespace mmt::workloads::classic::cfrac
