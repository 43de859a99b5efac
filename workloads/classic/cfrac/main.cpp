// cfrac: factors a number by its continued fraction, all integers in the heap.
// Checks that the factors are prime and proper and that their product is the number.
#include <algorithm>
#include <cstdlib>

#include "base/array.h"
#include "base/fail.h"
#include "base/output.h"
#include "base/program.h"
#include "cfrac/factor_base.h"
#include "cfrac/integer.h"
#include "cfrac/number_theory.h"
#include "cfrac/split.h"
#include "common/clock.h"

namespace {

using namespace mmt::workloads;
using namespace mmt::workloads::classic;
using namespace mmt::workloads::classic::cfrac;

constexpr std::string_view kNumber = "180115260909891055101819818404452637";  // 18 + 18 digits.
constexpr std::string_view kSmallNumber = "18011526183943181411";
// The time doubles every three to four digits.
constexpr size_t kMaxDigits = 60;
constexpr uint32_t kTrialLimit = 1 << 16;
constexpr size_t kMaxFactors = 256;  // Enough for any number of kMaxDigits.

// The prime factors, in ascending order.
struct Factorisation {
  Integer primes[kMaxFactors];
  size_t count = 0;

  void add(Integer prime) {
    size_t at = count++;
    for (; at > 0 && prime < primes[at - 1]; --at) primes[at] = std::move(primes[at - 1]);
    primes[at] = std::move(prime);
  }
};

// The `degree`-th root of n, if n is a perfect power; else 0.
Integer base_of_power(const Integer& n, uint32_t* degree) {
  for (*degree = 2; *degree < n.bits(); ++*degree) {
    Integer base = root(n, *degree);
    if (power(base, *degree) == n) return base;
  }
  return Integer(0);
}

// Wants n without factors below kTrialLimit.
void factor_large(const Integer& n, const Tuning& tuning, Effort* effort, Factorisation* result) {
  if (n.is_one()) return;
  if (is_prime(n)) return result->add(n);
  uint32_t degree;
  Integer base = base_of_power(n, &degree);
  if (!base.is_zero()) {
    while (degree-- > 0) factor_large(base, tuning, effort, result);
    return;
  }
  Integer factor = split(n, tuning, effort);
  factor_large(factor, tuning, effort, result);
  factor_large(n / factor, tuning, effort, result);
}

void factor(const Integer& n, const Tuning& tuning, Effort* effort, Factorisation* result) {
  Array<uint32_t> primes;
  primes_up_to(kTrialLimit, &primes);
  Integer left = n;
  for (uint32_t p : primes) {
    for (; left.remainder(p) == 0; left = left.divided_by(p)) result->add(Integer(p));
  }
  factor_large(left, tuning, effort, result);
}

void check_factors(const Integer& n, const Factorisation& factors) {
  Integer product(1);
  for (size_t i = 0; i < factors.count; ++i) {
    const Integer& prime = factors.primes[i];
    check(is_prime(prime), "a factor is not prime");
    check(factors.count == 1 || prime < n, "a factor is not proper");
    product = product * prime;
  }
  check(product == n, "the product of the factors is another number");
}

void print_factors(const Integer& n, const Factorisation& factors) {
  Output output;
  char text[kMaxDigits + 2];
  check(n.print(text, sizeof text), "the number is too long to print");
  output.print("%s", text);
  for (size_t i = 0; i < factors.count; ++i) {
    check(factors.primes[i].print(text, sizeof text), "a factor is too long to print");
    output.print(" %s %s", i == 0 ? "=" : "*", text);
  }
  output.print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  Program program("cfrac", argc, argv);
  std::string_view number = program.text("number", program.small ? kSmallNumber : kNumber);
  Tuning tuning;
  tuning.primes = program.number("factor-base", 0);
  tuning.large_times = program.number("large-times", 20);
  program.finish();
  Integer n;
  if (!Integer::parse(number, &n)) {
    bad_input("--number: '%.*s' is not a natural number", static_cast<int>(number.size()),
              number.data());
  }
  if (number.size() > kMaxDigits) bad_input("--number: more than %zu digits", kMaxDigits);
  if (n <= Integer(1)) bad_input("--number: must be above 1");
  if (tuning.primes != 0 && (tuning.primes < 2 || tuning.primes > FactorBase::kMaxPrimes)) {
    bad_input("--factor-base: 0, or 2 to %zu primes", FactorBase::kMaxPrimes);
  }
  if (tuning.large_times > 1000000) bad_input("--large-times: more than 1000000");

  Stopwatch watch;
  Effort effort;
  Factorisation factors;
  factor(n, tuning, &effort, &factors);
  double passed = watch.lap();
  check_factors(n, factors);
  print_factors(n, factors);

  return program.report({seconds("factor", passed), count("terms", effort.terms),
                         count("relations", effort.relations)});
}
