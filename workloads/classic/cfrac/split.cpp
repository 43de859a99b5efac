#include "cfrac/split.h"

#include <algorithm>
#include <cmath>

#include "base/fail.h"
#include "cfrac/elimination.h"
#include "cfrac/expansion.h"
#include "cfrac/factor_base.h"
#include "cfrac/number_theory.h"
#include "cfrac/relations.h"

namespace mmt::workloads::classic::cfrac {

namespace {

constexpr uint32_t kMultipliers = 400;
// Above the number of columns: each gives another chance of a proper factor.
constexpr size_t kSpareRelations = 8;

// A number's smoothness is governed by L = exp(sqrt(ln n ln ln n)); the power was measured.
size_t primes_for(const Integer& n) {
  double log_n = static_cast<double>(n.bits()) * std::log(2.0);
  double count = std::pow(std::exp(std::sqrt(log_n * std::log(log_n))), 0.277);
  return std::clamp<size_t>(static_cast<size_t>(count), 8, FactorBase::kMaxPrimes);
}

// How much the small primes take of a typical Q of k n, less what k makes it longer.
double merit(const Integer& d, uint32_t k, const Array<uint32_t>& primes) {
  double result = -0.5 * std::log(static_cast<double>(k));
  for (uint32_t p : primes) {
    double log_p = std::log(static_cast<double>(p));
    if (d.remainder(p) == 0) {
      result += log_p / (p + 1);
    } else if (p == 2) {
      // The squares modulo 8 decide how often 2 divides a Q.
      result += log_p * (d.remainder(8) == 1 ? 4.0 / 3 : d.remainder(4) == 1 ? 2.0 / 3 : 1.0 / 3);
    } else if (is_square_modulo(d, p)) {
      result += 2 * log_p * p / (static_cast<double>(p) * p - 1);
    }
  }
  return result;
}

struct Multiplier {
  uint32_t k;
  double merit;
};

// All multipliers, the most promising first.
void rank_multipliers(const Integer& n, Array<Multiplier>* result) {
  Array<uint32_t> primes;
  primes_up_to(400, &primes);
  for (uint32_t k = 1; k <= kMultipliers; ++k) {
    bool square_free = true;
    for (uint32_t i = 2; i * i <= k; ++i) square_free = square_free && k % (i * i) != 0;
    if (square_free) result->add({k, merit(n.times(k), k, primes)});
  }
  std::sort(result->begin(), result->end(), [](const Multiplier& a, const Multiplier& b) {
    return a.merit != b.merit ? a.merit > b.merit : a.k < b.k;
  });
}

// The factor that a set of relations, whose product is a square, gives; n or 1 if none.
Integer factor_of(const Integer& n, const FactorBase& base, const Relations& relations,
                  const Array<size_t>& members) {
  Array<uint32_t> exponents;
  for (size_t i = 0; i < base.size(); ++i) exponents.add(0);
  Integer x(1), y(1);
  for (size_t index : members) {
    const Relation& relation = relations[index];
    x = x * relation.a % n;
    if (relation.large != 1) y = y * Integer(relation.large) % n;
    for (uint32_t i = 0; i < relation.count; ++i) ++exponents[relation.factors()[i]];
  }
  for (size_t i = 0; i < base.size(); ++i) {
    check(exponents[i] % 2 == 0, "a product of relations is no square");
    for (uint32_t e = exponents[i] / 2; e > 0; --e) y = y.times(base.prime(i)) % n;
  }
  check(x * x % n == y * y % n, "the squares of a relation differ");
  return greatest_common_divisor(x + y, n);
}

// One multiplier's expansion, until a factor is found or the period ends; then 1.
Integer split_with(const Integer& n, uint32_t k, const Tuning& tuning, Effort* effort) {
  Integer d = n.times(k);
  Integer square_root = root(d, 2);
  if (square_root * square_root == d) return Integer(1);
  FactorBase base(d, tuning.primes != 0 ? tuning.primes : primes_for(n));
  Relations relations(n, base.largest() * tuning.large_times);
  Expansion expansion(d, n);
  Factors factors;
  bool more = true;
  while (more) {
    while (more && relations.size() < base.size() + 1 + kSpareRelations) {
      more = expansion.step();
      ++effort->terms;
      factors.shrink(0);
      Integer rest;
      if (base.divide_out(expansion.q(), &factors, &rest)) {
        relations.add(expansion.a(), expansion.is_negative(), factors, rest);
      }
    }
    effort->relations += relations.size();
    Elimination elimination(relations, base.size());
    Array<size_t> members;
    Array<bool> spent;
    for (size_t i = 0; i < relations.size(); ++i) spent.add(false);
    while (elimination.next(&members)) {
      Integer factor = factor_of(n, base, relations, members);
      if (!factor.is_one() && !(factor == n)) return factor;
      spent[members.last()] = true;  // Without it the others give no set that was tried.
    }
    relations.keep_if([&](size_t index) { return !spent[index]; });
  }
  return Integer(1);
}

}  // namespace

Integer split(const Integer& n, const Tuning& tuning, Effort* effort) {
  Array<Multiplier> multipliers;
  rank_multipliers(n, &multipliers);
  for (const Multiplier& multiplier : multipliers) {
    Integer factor = split_with(n, multiplier.k, tuning, effort);
    if (!factor.is_one()) return factor;
  }
  char text[Integer::kMaxDecimalDigits + 1];
  n.print(text, sizeof text);
  fail("no multiplier's continued fraction splits %s", text);
}

}  // namespace mmt::workloads::classic::cfrac
