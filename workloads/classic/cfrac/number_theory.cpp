#include "cfrac/number_theory.h"

#include <algorithm>

namespace mmt::workloads::classic::cfrac {

Integer power(const Integer& base, uint32_t exponent) {
  Integer result(1);
  for (; exponent > 0; --exponent) result = result * base;
  return result;
}

Integer root(const Integer& n, uint32_t degree) {
  if (n.is_zero()) return n;
  // Newton's iteration from above falls until it reaches the root.
  Integer guess = power(Integer(2), static_cast<uint32_t>(n.bits() / degree + 1));
  for (;;) {
    Integer next = guess.times(degree - 1) + n / power(guess, degree - 1);
    next = next.divided_by(degree);
    if (guess <= next) return guess;
    guess = std::move(next);
  }
}

Integer power_mod(const Integer& base, const Integer& exponent, const Integer& modulus) {
  Integer result = Integer(1) % modulus;
  Integer square = base % modulus;
  for (size_t i = 0, bits = exponent.bits(); i < bits; ++i) {
    if (exponent.bit(i)) result = result * square % modulus;
    square = square * square % modulus;
  }
  return result;
}

Integer greatest_common_divisor(Integer a, Integer b) {
  while (!b.is_zero()) {
    Integer rest = a % b;
    a = std::move(b);
    b = std::move(rest);
  }
  return a;
}

bool is_prime(const Integer& n) {
  static constexpr uint32_t kBases[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37,
                                        41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89};
  if (n.is_zero() || n.is_one()) return false;
  for (uint32_t p : kBases) {
    if (n.remainder(p) == 0) return n == Integer(p);
  }
  Integer minus_one = n - Integer(1);
  Integer odd = minus_one;
  uint32_t twos = 0;
  for (; !odd.is_odd(); ++twos) odd = odd.divided_by(2);
  for (uint32_t p : kBases) {
    Integer x = power_mod(Integer(p), odd, n);
    bool passes = x.is_one() || x == minus_one;
    for (uint32_t i = 1; i < twos && !passes; ++i) {
      x = x * x % n;
      passes = x == minus_one;
    }
    if (!passes) return false;
  }
  return true;
}

bool is_square_modulo(const Integer& n, uint32_t p) {
  uint64_t square = n.remainder(p);
  uint64_t result = 1;
  for (uint32_t exponent = (p - 1) / 2; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = result * square % p;
    square = square * square % p;
  }
  return result == 1;
}

void primes_up_to(uint32_t limit, Array<uint32_t>* primes) {
  Array<bool> composite;
  composite.reserve(limit + size_t{1});
  for (uint32_t i = 0; i <= limit; ++i) composite.add(false);
  for (uint32_t i = 2; i <= limit; ++i) {
    if (composite[i]) continue;
    primes->add(i);
    for (uint64_t j = uint64_t{i} * i; j <= limit; j += i) composite[j] = true;
  }
}

}  // namespace mmt::workloads::classic::cfrac
